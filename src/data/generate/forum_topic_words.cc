#include "data/generate/forum_words.h"

namespace sfumato::data {

std::string_view ForumTopicWords() {
  return R"(
topic databases
field: query tuning, database design, replication, full-text search, data modelling, stored procedures, time-series storage, sharding
thing: table, query, column, row, database/db, index:indices, view, record, schema, trigger, join, transaction, primary key, backup, cursor, stored procedure, foreign key, result set, constraint, partition, materialized view, sequence, replica, connection pool, tablespace, snapshot, subquery, migration, document, collection, lookup table, timestamp column, tuple, shard, keyspace, staging table, audit log, composite key, temp table, query plan
stuff: disk space, locking, normalization, redundancy, consistency, isolation, throughput, replication lag, referential integrity
action: query, update, select, insert, delete, join, index, sort, filter, export, import, drop, lock, migrate, back up, group, truncate, partition, populate, rebuild:rebuilt:rebuilt, normalize, archive, dump, restore, paginate, aggregate, deduplicate, replicate, vacuum, shard, denormalize, upsert, anonymize, reconcile, purge
failure: time out, deadlock, hang:hung:hung, fail, lock up, roll back, stall, overflow, lag
trait: empty, duplicate, nested, slow, temporary, unique, recursive, indexed, sorted, clustered, read-only, partitioned, orphaned, denormalized, nullable, sparse, polymorphic, transactional, stale, corrupt, relational, distinct, skewed
problem: deadlock, timeout, syntax error, foreign key violation, duplicate entry, type mismatch, null value, full table scan, lost update, collation conflict, dangling reference, dirty read, phantom row, cartesian product
tool: MySQL, Postgres, SQLite, Oracle, MongoDB, SQL Server, Redis, MariaDB, Cassandra, Hibernate, Elasticsearch, DynamoDB, pgAdmin, Neo4j, CouchDB, InfluxDB, Firebird, Liquibase, ClickHouse, DuckDB
code: `SELECT *`, `id > 100`, `GROUP BY`, `LEFT JOIN`, `WHERE a <> b`, `ORDER BY date`, `COUNT(*)`, `price >= 10`, `IS NOT NULL`, `x && y`, `LIMIT 10`
ext: sql, db, csv, dump, mdb

topic web pages
field: responsive design, web accessibility, front-end development, server-side rendering, web animation, progressive web apps, browser extensions, CSS layout
thing: page, button, form, div, link, image, menu, component, element, input field, table, modal, dropdown, header, footer, script, browser, stylesheet/css file, navbar, checkbox, tooltip, carousel, template, iframe, sidebar, canvas, cookie, route, event handler, widget, text box, date picker, grid, banner, service worker, web font, placeholder, breadcrumb, favicon, accordion, slider, hyperlink, viewport, polyfill, media query
stuff: whitespace, padding, markup, scrolling, local storage, overflow, hydration, accessibility, caching, inline styling
action: click, load, hide:hid:hidden, show:showed:shown, style, submit+, render, center, resize, refresh, animate, toggle, update, validate, bind:bound:bound, append, scroll, embed+, highlight, disable, fetch, redirect, reload, align, minify, preload, lazy-load, drag, focus, wrap, transpile, rerender, localize, debounce, prerender, unmount, autocomplete, hydrate
failure: flicker, disappear, overlap+, jump, break:broke:broken, overflow, fail to load, collapse, freeze:froze:frozen, blink, misalign
trait: responsive, hidden, clickable, disabled, nested, transparent, fixed, sticky, dynamic, inline, horizontal, scrollable, absolute, floating, hoverable, collapsible, reusable, cross-browser, blurry, static, asynchronous, draggable, minified, unstyled
problem: layout shift, CORS error, broken link, redirect loop, flash of white, race condition, memory leak, parse error, missing semicolon, dead click, stale closure, hydration mismatch, rendering glitch
tool: React, jQuery, Angular, Bootstrap, Vue, Webpack, Firefox, Chrome, Safari, Svelte, Next.js, Tailwind, TypeScript, Babel, Gatsby, Ember, Sass, Vite, WordPress, Django, Edge, Lighthouse, htmx
code: `<div>`, `<br>`, `display: flex`, `&nbsp;`, `width < 600px`, `a => b`, `<input type="text">`, `&copy;`, `useEffect`, `</form>`, `z-index`, `position: absolute`, `x && y`, `<ul>`
ext: html, css, js, tsx, scss, vue

topic data analysis
field: data cleaning, exploratory analysis, time series, web scraping, data visualization, text mining, feature engineering, data wrangling
thing: dataframe/df, column, list, dictionary/dict, array, CSV file/csv, plot, loop, function/func, script, index:indices, row, series:series, tuple, module, string, package, notebook, key, generator, lambda, decorator, virtual environment/venv, subplot, histogram, axis:axes, legend, pivot table, missing value, regex:regexes, heat map, scatter plot, dataset, iterator, date range, timestamp, float, docstring, exception, quantile, category, kernel, parquet file, chunk
stuff: memory, whitespace, indentation, broadcasting, type coercion, encoding, precision, vectorization, pickling
action: read:read:read, plot, loop over, filter, merge, convert, parse, print, import, sort, group, iterate over, append, concatenate, reshape, slice, drop, rename, split+:split:split, clean, normalize, scrape, save, pivot, flatten, resample, interpolate, vectorize, annotate, tokenize, serialize, impute, melt, downsample, bin, memoize, stack, transpose, unpack
failure: crash, run:ran:run out of memory, hang:hung:hung, fail, return nothing, raise an exception, stop+, misbehave
trait: empty, nested, multidimensional, numeric, categorical, missing, sorted, hierarchical, global, mutable, iterable, vectorized, lazy, sparse, immutable, boolean, timezone-aware, irregular, unhashable, interactive, tidy, ragged
problem: key error, type error, memory error, import error, encoding error, indentation error, infinite loop, off-by-one error, missing value, shape mismatch, deprecation warning, circular import, division by zero
tool: Python, pandas, NumPy, Jupyter, matplotlib, Anaconda, seaborn, SciPy, BeautifulSoup, Scrapy, Selenium, Plotly, Dask, Polars, Spyder, pip, xarray, Bokeh, Colab, PyCharm, Airflow
code: `df.head()`, `x[1:]`, `a != b`, `df > 0`, `range(10)`, `None`, `__init__`, `import os`, `lambda x: x`, `len(x) < 5`, `axis=1`, `a & b`, `print(x)`
ext: py, ipynb, csv, json, xlsx, parquet, pkl

topic compiled programs
field: template metaprogramming, memory management, build systems, concurrency, cross-compiling, move semantics, code generation, operator overloading
thing: class, pointer, template, function/func, header file/header, vector, variable/var, compiler, library/lib, constructor, object, loop, struct, array, string, destructor, iterator, thread, macro, linker, reference, static library, makefile, binary, build, namespace, overload, lambda, smart pointer, allocator, mutex, shared library, debugger, stack frame, enum, callback, template parameter, base class, virtual function, translation unit, sanitizer, assertion, toolchain, bit field, precompiled header, operator, functor, symbol
stuff: memory, alignment, inlining, undefined behaviour, heap space, const correctness, type deduction, name mangling, stack space
action: compile, link, include, allocate, free, call, declare, debug+, build:built:built, copy, initialize, cast:cast:cast, pass, return, overload, override:overrode:overridden, inline, profile, instantiate, optimize, dereference, construct, wrap, lock, specialize, cross-compile, align, inherit from, destroy, benchmark, forward, demangle, swap, unroll, refactor, deallocate
failure: crash, segfault, leak, fail to compile, hang:hung:hung, deadlock, overflow, abort, not link
trait: virtual, abstract, static, const, shared, unresolved, dynamic, private, recursive, generic, dangling, thread-safe, portable, default, multithreaded, opaque, polymorphic, variadic, uninitialized, aligned, header-only, lock-free, constexpr, noexcept
problem: segmentation fault/segfault, linker error, memory leak, undefined reference, stack overflow, buffer overflow, double free, data race, compiler warning, template error, null pointer, circular dependency, missing symbol, name clash, dangling pointer, cache miss
tool: GCC, CMake, Visual Studio, Clang, Boost, Qt, Valgrind, gdb, Eclipse, Make, MinGW, Xcode, Ninja, Bazel, Conan, CLion, Meson, vcpkg, Rust, Eigen, OpenMP, SWIG
code: `std::vector<int>`, `a->b`, `x << 1`, `int& x`, `&&`, `i < n`, `auto&&`, `#include <map>`, `nullptr`, `delete[]`, `a & 0xff`, `template <typename T>`, `std::move`, `void*`
ext: cpp, h, cc, o, so, dll, cmake

topic networking
field: network programming, routing, load balancing, wireless security, home networking, packet analysis, DNS configuration, socket programming
thing: server, socket, connection, router, port, packet, request, proxy:proxies, firewall, client, IP address/ip, gateway, domain, interface, subnet, switch, access point, tunnel, host, DNS record, cable, modem, header, load balancer, VLAN, certificate, protocol, hostname, endpoint, network card, websocket, bridge, mail server, peer, handshake, routing table, reverse proxy, name server, hub, datagram, repeater, web hook
stuff: bandwidth, latency, traffic, port forwarding, packet loss, jitter, signal strength, broadcast traffic
action: connect to, ping, configure, forward, block, route, reach, restart, send:sent:sent, listen to, open, scan, monitor, trace, resolve, proxy, bridge, capture, throttle, expose, encrypt, redirect, tunnel, sniff, authenticate, reconnect, multicast, poll, decommission, whitelist, spoof, flush, load-balance
failure: time out, drop packets, disconnect, hang:hung:hung, refuse to connect, lag, close unexpectedly, go:went:gone offline
trait: remote, local, wireless, unreachable, public, static, persistent, slow, open, encrypted, idle, virtual, wired, asymmetric, duplex, stateless, upstream, congested, untrusted, redundant, flaky
problem: timeout, connection reset, packet loss, DNS failure, address conflict, routing loop, handshake failure, port conflict, dropped connection, broadcast storm, certificate error, bottleneck, name collision
tool: Wireshark, nginx, Apache, OpenVPN, curl, tcpdump, HAProxy, netcat, nmap, Cisco, pfSense, Squid, Postfix, WireGuard, iptables, Tomcat, Traefik, PuTTY, Mikrotik, Asterisk, Samba
code: `localhost:8080`, `192.168.0.1`, `ping -c 4`, `http://`, `port > 1024`, `GET /index`, `127.0.0.1`, `?a=1&b=2`, `curl -v`, `ttl < 64`
ext: conf, pcap, pem, log, cfg

topic printing
field: 3D printing, slicing, resin printing, bed levelling, printer calibration, multi-colour printing, filament drying
thing: print, nozzle, bed, layer, model, part, extruder, hot end, filament, wall, stepper motor, belt, fan, printer, support, infill pattern, overhang, bearing, heater, thermistor, brim, raft, spool, gantry:gantries, rod, lead screw, enclosure, thread, gear, bracket, hinge, prototype, resin tank, build plate, limit switch, first layer, mesh, bridge, calibration cube, end stop, heat sink, firmware
stuff: filament, stringing, adhesion, warping, resin, plastic, glue, backlash, infill, wobble, acetone, humidity
action: print, level, slice, calibrate, heat, clean, replace, extrude, scale, glue, sand, cool, scan, repair, tighten, align, lubricate, grease, anneal, unclog+, prime, disassemble, acetone-smooth, measure, paint, mount, rotate, hollow, cure, retract, strengthen, thicken
failure: warp, clog, crack, slip, jam, detach, curl, overheat, under-extrude, delaminate, skip+, sag, wobble, come:came:come loose
trait: heated, flexible, brittle, hollow, thick, uneven, rough, smooth, stringy, loose, warped, waterproof, circular, magnetic, solid, glossy, textured, overhanging, layered, translucent, wobbly, heat-resistant
problem: layer shift, clogged nozzle, gap, blob, bad first layer, thermal runaway, elephant foot, heat creep, loose belt, seam, spaghetti print, jam, scratch
tool: Cura, Blender, OctoPrint, Marlin, Ender 3, PrusaSlicer, Fusion 360, OpenSCAD, Klipper, Slic3r, Tinkercad, FreeCAD, Repetier, Meshmixer, SolidWorks, Simplify3D, Prusa, Rhino, Onshape
code: `G28`, `M104 S200`, `G1 X10 Y10`, `temp < 210`, `M503`, `0.2 mm`, `PLA & PETG`, `E > 0`
ext: stl, gcode, obj, scad, step

topic statistics
field: Bayesian inference, hypothesis testing, survival analysis, experimental design, regression, causal inference, multilevel models, bootstrap methods, sampling theory
thing: variable, model, sample, test, distribution, mean, regression, matrix:matrices, estimator, coefficient, p-value, covariate, confidence interval/CI, residual, hypothesis:hypotheses, parameter, variance, group, outcome, predictor, likelihood, prior, data set, interaction, outlier, factor, standard error, correlation, treatment, density, quantile, random effect, chain, survey, questionnaire, cluster, posterior, cohort, intercept, median, effect size, baseline, kernel, bootstrap sample, contrast, moment
stuff: variance, bias, noise, evidence, randomness, heteroscedasticity, collinearity, statistical power, autocorrelation, overfitting
action: estimate, fit, test, compare, interpret, compute, model, plot, transform, simulate, standardize, report, sample, weight, regress, bootstrap, assume, randomize, cluster, predict, rescale, normalize, bin, extrapolate, approximate, integrate, center, marginalize, stratify, permute, winsorize, detrend, quantify
failure: diverge, not converge, overfit+:overfit:overfit, explode, vanish, oscillate, mix badly, underestimate the error
trait: normal, linear, random, significant, independent, dependent, continuous, binary, biased, skewed, conditional, logistic, correlated, nested, robust, ordinal, mixed, exponential, paired, homogeneous, multivariate, nonparametric, asymptotic, longitudinal, bimodal, censored, collinear, Gaussian, heavy-tailed, hierarchical
problem: outlier, small sample, missing value, convergence warning, singular matrix, confounder, type I error, multiple comparison, violated assumption, selection bias, ceiling effect, identifiability issue
tool: SPSS, Stata, SAS, RStudio, ggplot2, lme4, Excel, JAGS, Stan, MATLAB, dplyr, caret, WinBUGS, statsmodels, Minitab, BUGS, Octave, JASP, brms, PyMC
code: `p < 0.05`, `lm(y ~ x)`, `n > 30`, `y ~ x + z`, `t.test(x)`, `set.seed(1)`, `x & y`, `N(0, 1)`, `a <- b`, `alpha = 0.1`, `r > 0.8`
ext: sav, dta, rds, csv, Rmd

topic phone apps
field: mobile development, push notifications, in-app billing, gesture handling, offline sync, app publishing, background services, cross-platform apps
thing: app, activity, button, view, fragment, screen, list view, device, emulator, phone, notification, permission, layout, keyboard, service, adapter, image, text field, intent, toolbar, tab, gesture, navigation bar, icon, splash screen, dialog, view controller, storyboard, simulator, cell, package, camera, widget, barcode, push message, cursor, landscape mode, sensor, tablet, in-app purchase, home screen, deep link, broadcast receiver, provisioning profile, swipe, toast, dependency
stuff: battery life, storage, location data, multitouch, memory, haptic feedback, code signing, background work
action: tap, open, install, display, launch, swipe, publish, show:showed:shown, load, update, rotate, animate, dismiss, inflate, request, download, test, share, pass, sync, sign, archive, unlock, register, localize, scroll, uninstall, cache, minimize, upload, pin, schedule, deobfuscate, sideload
failure: crash, freeze:froze:frozen, restart, drain the battery, lag, disappear, not respond, close by itself, stutter, overheat
trait: native, landscape, full-screen, blank, black, pending, visible, scrollable, background, hybrid, custom, offline, swipeable, deprecated, clickable, rotated, portrait, unsigned, sandboxed, translucent, persistent, unresponsive
problem: crash, null pointer exception, permission denial, black screen, memory warning, build failure, signing error, missing resource, layout glitch, rejected build, lost callback, version conflict, duplicate class
tool: Android Studio, Xcode, Swift, Kotlin, Flutter, Firebase, React Native, Gradle, Xamarin, Ionic, Cordova, Realm, Objective-C, Retrofit, TestFlight, Google Play, SwiftUI, Genymotion, Dagger, Crashlytics, Unity, CocoaPods
code: `onCreate()`, `List<String>`, `findViewById`, `@Override`, `x -> y`, `minSdk < 21`, `self?.view`, `Map<String, Int>`, `viewDidLoad`, `R.id.button`, `a && b`
ext: apk, xml, swift, kt, plist, ipa

topic containers
field: continuous integration, infrastructure as code, log aggregation, blue-green deployment, secrets management, autoscaling, monitoring, service meshes
thing: container, image, server, pipeline, cluster, instance, volume, pod, deployment, service, node, build, environment/env, config file/config, port, script, agent, job, secret, bucket, log, registry, template, role, region, network, playbook, namespace, stack, artifact, environment variable/env var, health check, load balancer, certificate, virtual machine/VM, queue, chart, manifest, ingress, snapshot, autoscaler, worker, runner, cron job, release, dashboard, alert, quota, sidecar, webhook, daemon
stuff: downtime, uptime, disk usage, scaling, orchestration, drift, logging, throughput, bandwidth, overhead
action: deploy, build:built:built, restart, run:ran:run, start, mount, pull, push, configure, scale, stop, provision, monitor, expose, schedule, update, upgrade, roll back, terminate, tag, automate, launch, attach, orchestrate, drain, clone, patch, template, migrate, destroy, bootstrap, autoscale, reprovision, tear:tore:torn down, decommission, cordon
failure: exit immediately, crash, restart, hang:hung:hung, run:ran:run out of disk, time out, fail to start, get:got:gotten stuck, flap, get:got:gotten evicted
trait: remote, running, private, unhealthy, ephemeral, managed, stopped, idle, shared, read-only, stateless, pending, immutable, redundant, staging, parallel, privileged, serverless, scheduled, self-hosted, multi-stage, unreachable
problem: crash loop, timeout, permission error, failed build, port conflict, image pull error, certificate error, DNS failure, quota limit, memory limit, stuck rollout, orphaned volume, merge conflict
tool: Docker, Kubernetes, Jenkins, AWS, Ansible, Terraform, Azure, GitLab, Helm, Vagrant, Puppet, Prometheus, Grafana, Travis, Nagios, CloudFormation, Lambda, OpenShift, Heroku, Podman, Packer, Consul, Istio, Argo
code: `docker ps`, `kubectl get pods`, `/var/log`, `replicas: 3`, `make build && make run`, `cpu > 80%`, `$HOME`, `2>&1`, `apt-get update`, `> /dev/null`, `sudo`
ext: yml, yaml, tf, env, log, toml

topic version control
field: branching, rebasing, code review, release management, version control, repository migration, commit hygiene, monorepos
thing: branch, commit, repository/repo, merge, file, change, pull request/PR, tag, remote, submodule, conflict, stash:stashes, patch, history, hook, fork, diff, directory/dir, merge request/MR, clone, working copy, release, rebase, blame view, staging area, ignore file, upstream branch, changelog, revision, head, checkout, master branch, changeset, code review, release branch, cherry-pick, tree, blob, mirror, subtree, worktree, default branch
stuff: history, whitespace, merging, squashing, large-file storage, blame information
action: commit+, push, merge, pull, revert, clone, rebase, delete, rename, fetch, undo:undid:undone, check out, track, stash, squash, restore, fork, tag, cherry-pick, amend, ignore, review, compare, sync, bisect, reset+:reset:reset, split+:split:split, discard, prune, stage, unstage, recover, sign, rewrite:rewrote:rewritten, annotate, backport, mirror
failure: fail, diverge, get:got:gotten rejected, lose:lost:lost commits, conflict, stop halfway, detach
trait: local, remote, detached, uncommitted, merged, upstream, stale, untracked, modified, staged, deleted, conflicting, shallow, bare, orphaned, ignored, annotated, fast-forward, unmerged, bloated, tagged, unrelated
problem: merge conflict, detached head, permission error, rejected push, line-ending problem, lost commit, wrong author, dangling commit, broken hook, stale lock file, authentication failure, huge diff
tool: Git, GitHub, Bitbucket, GitLab, Subversion, SourceTree, Mercurial, TortoiseGit, Gerrit, Perforce, GitKraken, Beyond Compare, meld, Git LFS, Magit, Gitea, CVS, Bazaar, pre-commit, Phabricator
code: `git push -f`, `git log --oneline`, `HEAD~1`, `<<<<<<< HEAD`, `>>>>>>>`, `git add -A`, `origin/main`, `git stash && git pull`, `.gitignore`, `git reset --hard`
ext: gitignore, patch, diff, md

topic spreadsheets
field: spreadsheet modelling, conditional formatting, pivot tables, mail merges, budgeting, macro programming, invoice templates, array formulas
thing: cell, formula, column, sheet, row, workbook, macro, range, chart, pivot table, date, value, function, list, drop-down list, table, header, lookup, filter, invoice, tab, worksheet, named range, conditional format, duplicate, array formula, button, text box, report, budget, total, average, dashboard, axis:axes, add-in, comment, user form, checkbox, blank row, percentage, sparkline, data label, timesheet, slicer, running total, currency field, validation rule, weekday, quarter
stuff: formatting, rounding, data validation, currency formatting, text wrapping, calculation time, cell protection
action: copy, sum, count, filter, sort, format+, paste, calculate, delete, look up, highlight, split+:split:split, merge, fill, protect, hide:hid:hidden, reference, import, group, insert, print, extract, combine, multiply, lock, transpose, round, concatenate, subtract, average, freeze:froze:frozen, match, recalculate, autofill, consolidate, unhide:unhid:unhidden, total, tabulate, subtotal
failure: return zero, show:showed:shown the wrong date, crash, not update, freeze:froze:frozen, recalculate forever, skip+ blank rows, break:broke:broken
trait: blank, empty, hidden, merged, relative, dynamic, conditional, locked, adjacent, numeric, formatted, visible, cumulative, weekly, monthly, volatile, alphabetical, protected, consecutive, fiscal, unformatted, quarterly, overdue
problem: circular reference, value error, rounding error, wrong date format, broken link, reference error, name error, type mismatch, hidden character, leading zero, trailing space, corrupted workbook
tool: Excel, Google Sheets, LibreOffice, VBA, Power Query, Access, Power BI, OpenOffice, Outlook, SharePoint, Numbers, Tableau, Word, Airtable, Gnumeric, Looker, Smartsheet, Quattro
code: `=SUM(A1:A10)`, `A1 > 0`, `VLOOKUP`, `=IF(A1<>"", 1, 0)`, `#REF!`, `B2 & C2`, `$A$1`, `COUNTIF`, `#N/A`, `INDEX & MATCH`, `=A1<=B1`
ext: xlsx, csv, xlsm, ods, xls

topic graphics
field: shader programming, ray tracing, texture mapping, rigging, photogrammetry, real-time rendering, colour grading, procedural modelling
thing: texture, shader, mesh, object, camera, vertex:vertices, image, triangle, light, model, normal, polygon, material, face, buffer, layer, pixel, edge, shadow, bone, scene, sprite, matrix:matrices, curve, frame, node, keyframe, quad, surface, animation, viewport, particle, cube, sphere, plane, depth buffer, mask, bounding box, framebuffer, armature, modifier, rig, gradient, brush, palette, transform, quaternion, skybox, light map, hair strand, mipmap, tangent
stuff: lighting, anti-aliasing, geometry, ambient occlusion, transparency, fill rate, motion blur, shading, noise, subsurface scattering
action: render, draw:drew:drawn, rotate, scale, texture, animate, unwrap+, export, move, blend, subdivide, select, bake, smooth, project, crop, extrude, rasterize, shade, translate, sample, interpolate, mirror, clip, rig, deform, illuminate, trace, retopologize, tessellate, triangulate, colour, denoise, voxelize, morph, desaturate, upscale, cull, instance
failure: flicker, turn black, disappear, stretch, tear:tore:torn, crash, render nothing, look distorted, clip, bleed:bled:bled, shimmer
trait: flat, transparent, black, smooth, rotated, visible, pixelated, three-dimensional, curved, textured, blurry, procedural, distorted, orthographic, reflective, overlapping, inverted, low-poly, isometric, jagged, emissive, refractive, subdivided, rigged, high-resolution, washed-out
problem: seam, black spot, artifact, flipped normal, shader error, jagged edge, z-fighting issue, banding artifact, texture seam, light leak, moire pattern, gimbal lock, aliasing problem, floating vertex
tool: Blender, OpenGL, Unity, Photoshop, Cycles, Vulkan, Maya, GIMP, Inkscape, Illustrator, three.js, Unreal, DirectX, Krita, Houdini, Cinema 4D, ZBrush, WebGL, Substance, Metal, Eevee, CUDA, Mitsuba
code: `gl_Position`, `vec3(0.0)`, `x > 0.5`, `glBindBuffer`, `uv.xy`, `n < 0`, `mat4 * vec4`, `float4`, `a & mask`, `#version 330`
ext: png, obj, fbx, blend, glsl, psd, svg

topic security
field: penetration testing, cryptography, single sign-on, threat modelling, malware analysis, password storage, key management, reverse engineering, forensics
thing: password, certificate, key, token, hash:hashes, user, session, request, account, cookie, vulnerability, login, signature, exploit, payload, attacker, firewall, cipher, header, salt, private key, proxy:proxies, binary, session id, sandbox:sandboxes, backdoor, password manager, credential, challenge, firmware, smart card, nonce, public key, virus:viruses, security policy, antivirus, keylogger, honeypot, wordlist, passphrase, wallet, honeytoken, access log, block cipher, root certificate, rainbow table, secret, scanner, stack canary
stuff: encryption, entropy, authentication, authorization, malware, hashing, obfuscation, forward secrecy, two-factor authentication
action: encrypt, decrypt, hash, store, verify, sign, block, crack, protect, intercept, validate, exploit, bypass, revoke, scan, steal:stole:stolen, generate, authenticate, guess, inject, audit, leak, rotate, sanitize, expose, patch, disassemble, brute-force, tamper with, whitelist, escrow, spoof, obfuscate, salt, sniff, quarantine, attest, harden
failure: expire, leak, fail, get:got:gotten blocked, time out, reject every login, log out everyone, trigger an alarm
trait: secure, encrypted, malicious, public, private, vulnerable, invalid, expired, random, self-signed, trusted, symmetric, weak, compromised, anonymous, suspicious, forged, hard-coded, asymmetric, plaintext, tamper-proof, deniable, quantum-safe, untrusted, revoked, salted, leaked
problem: buffer overflow, SQL injection, certificate error, replay attack, data breach, weak cipher, timing attack, permission leak, cross-site script, privilege escalation, padding oracle, phishing mail, collision, side channel, false positive
tool: OpenSSL, Metasploit, Burp Suite, Kali, Nmap, Wireshark, KeePass, Keycloak, hashcat, OAuth, Snort, Ghidra, GnuPG, Tor, Nessus, OSSEC, Let's Encrypt, Vault, bcrypt, YubiKey, SELinux, Kerberos, Suricata
code: `<script>`, `' OR 1=1`, `&lt;b&gt;`, `chmod 600`, `SHA-256`, `Authorization: Bearer`, `alert(1)`, `key >> 8`, `id_rsa`, `uid > 1000`, `a ^ b`
ext: pem, key, crt, pcap, asc

topic audio
field: sound design, mixing, mastering, speech recognition, audio programming, music theory, live recording, room acoustics
thing: track, plugin, sample, microphone/mic, speaker, signal, amp, filter, note, song, recording, channel, guitar, synth, interface, cable, chord, loop, pedal, mixer, beat, buffer, bass, tone, drum, compressor, oscillator, clip, vocal, preset, driver, sound card, melody, bus:buses, headphone, equalizer, envelope, preamp, piano roll, spectrum:spectra, delay line, waveform, kick drum, limiter, pickup, tempo map, string, fret, harmonica, violin, crossover, subwoofer, ribbon mic, tuner, fader, click track, noise gate
stuff: noise, reverb, latency, distortion, feedback, hum, gain, headroom, phase, sidechain compression, sustain, clipping
action: record, play, mix, tune, sample, loop, filter, amplify, edit, compress, mute, export, sync, pan, master, fade, transpose, automate, equalize, trim, route, quantize, pitch, stretch, harmonize, normalize, sing:sang:sung over, strum, detune, resample, layer, denoise, solo, de-ess, crossfade, improvise over
failure: crackle, pop, hum, clip, distort, drop out, go:went:gone out of tune, lag, buzz, squeal, drift
trait: loud, quiet, mono, analog, digital, clean, noisy, distorted, acoustic, dry, wet, harmonic, stereo, muddy, muffled, detuned, balanced, tinny, warm, percussive, dissonant, bright, boomy, staccato, punchy, resonant, syncopated
problem: ground loop, buffer underrun, popping sound, phase issue, latency issue, feedback loop, humming noise, driver conflict, clipping artifact, tuning problem, missing plugin, broken solder joint, dead channel
tool: Ableton, Audacity, Logic, Pro Tools, FL Studio, Reaper, GarageBand, Cubase, JACK, PulseAudio, FFmpeg, Kontakt, Max, SuperCollider, Ardour, Serum, Pure Data, JUCE, Csound, LMMS, Sonar, Focusrite, MuseScore
code: `44.1 kHz`, `-6 dB`, `440 Hz`, `gain > 0`, `A & B`, `Q < 1`, `4/4`, `16 bit`, `< 20 Hz`
ext: wav, mp3, flac, mid, aiff, ogg

topic electronics
field: microcontroller programming, motor control, low-power design, circuit design, sensor calibration, radio links, robotics, battery charging, PCB layout
thing: sensor, board, pin, motor, LED, resistor, circuit, battery, signal, relay, wire, capacitor, transistor, register, interrupt, chip, servo, voltage, timer, display, button, switch, breadboard, serial port, power supply/psu, module, loop, sketch, diode, input, output, clock, microcontroller/mcu, bootloader, antenna, driver, transformer, oscillator, regulator, solenoid, footprint, comparator, stepper, encoder, shield, fuse, heat sink, potentiometer, keypad, oscilloscope/scope, buzzer, solar panel, op-amp, accelerometer, ferrite bead, photodiode, gyroscope, level shifter, ground plane, crystal, current source
stuff: current, voltage, noise, power, flash memory, solder, inductance, ripple, impedance, static electricity, interference
action: connect, power, measure, read:read:read, control+, program+, solder, drive:drove:driven, wire, flash, switch, charge, calibrate, sample, debounce, isolate, reset+:reset:reset, discharge, simulate, configure, ground, amplify, trigger, toggle, poll, desolder, replace, invert, shield, route, decouple, rectify, multiplex, bit-bang, overclock, dim, breadboard, debug+
failure: overheat, reset+:reset:reset, burn out, flicker, drift, oscillate, stop responding, hang:hung:hung, brown out, get:got:gotten hot, vibrate, glitch
trait: analog, digital, floating, noisy, external, low-power, serial, hot, parallel, high-voltage, rechargeable, wireless, grounded, variable, linear, shorted, differential, bipolar, stable, inductive, optical, capacitive, isolated, regulated, bidirectional, rotary, brushless, surface-mount, waterproof, tiny
problem: short circuit, voltage drop, loose wire, ground loop, brownout, bouncing contact, noise spike, stack overflow, burnt resistor, cold solder joint, timing error, upload error, missed interrupt, bus conflict, leakage current
tool: Arduino, Raspberry Pi, ESP32, STM32, KiCad, LTspice, Eagle, FreeRTOS, PlatformIO, ATmega328, AVR, Teensy, Proteus, Keil, BeagleBone, OpenOCD, ESP8266, PIC, Verilog, MPLAB, Altium, Vivado, NodeMCU, Zigbee
code: `digitalWrite(13, HIGH)`, `1 << 3`, `PORTB & 0x0f`, `5 V`, `delay(100)`, `3.3 V`, `0x3C`, `I < 20 mA`, `R1 & R2`, `Serial.begin(9600)`, `V > 12`, `10 kΩ`
ext: ino, hex, bin, sch, c, v

topic Linux
field: shell scripting, kernel development, package management, system administration, disk encryption, window managers, dual booting, text processing
thing: file, command/cmd, directory/dir, script, terminal, package, user, process, disk, partition, folder, kernel, shell, service, drive, driver, program, string, line, symlink, permission, variable/var, screen, keyboard, path, desktop, log file, boot loader, group, cron job, home directory, prompt, alias:aliases, window, pipe, swap file, terminal emulator, root user, mount point, environment variable/env var, display manager, text editor, wildcard, daemon, repository/repo, USB stick, graphics card, touchpad, monitor, hard link, cursor, dotfile, socket, signal, init script, file descriptor, clipboard, man page, timestamp, inode, job, tarball
stuff: disk space, swap space, output, input, quoting, tab completion, standard error, memory usage, word splitting
action: install, run:ran:run, mount, boot, copy, kill, delete, find:found:found, remove, start, list, edit, execute, rename, grep, open, move, update, search, replace, compile, log in to, format+, encrypt, pipe, unmount, parse, redirect, compress, source, chain, archive, extract, suspend, wipe, recover, partition, symlink, automount, truncate, daemonize, tail, concatenate, resize, reinstall, background
failure: hang:hung:hung, freeze:froze:frozen, fail, crash, not boot, exit, disappear, loop forever, run:ran:run slowly, refuse to start, wake:woke:woken up randomly
trait: hidden, empty, recursive, symbolic, executable, external, read-only, interactive, mounted, default, encrypted, graphical, broken, remote, missing, binary, removable, wireless, writable, headless, sparse, unmounted, zombie, proprietary, bootable, verbose, compressed, standalone
problem: permission error, broken package, missing library, boot loop, black screen, kernel panic, unmet dependency, syntax error, full disk, dead key, login loop, locked file, dependency conflict, screen tearing issue, bad sector
tool: Ubuntu, bash, vim, Debian, systemd, grep, awk, sed, Fedora, rsync, GNOME, Arch, ssh, CentOS, apt, tmux, Emacs, GRUB, Mint, zsh, KDE, Xorg, Wayland, VirtualBox, cron, Wine, btrfs, Nvidia, dpkg, fish, i3, snap, PulseAudio
code: `ls -l`, `> /dev/null`, `2>&1`, `cat a | sort`, `sudo rm -rf`, `$PATH`, `a && b`, `<<EOF`, `/etc/fstab`, `chmod +x`, `sed 's/a/b/'`, `~/.bashrc`, `find . -name`, `&`, `echo $?`
ext: sh, conf, txt, deb, tar, log, gz

topic machine learning
field: deep learning, reinforcement learning, computer vision, speech recognition, transfer learning, natural language processing, anomaly detection, recommender systems
thing: model, layer, network, loss, image, label, classifier, feature, weight, batch, gradient, dataset, training set, neuron, tensor, embedding, hyperparameter, epoch, optimizer, output, kernel, node, agent, policy, reward, tree, learning rate/LR, prediction, generator, test set, cluster, checkpoint, activation function, sequence, encoder, word vector, decoder, attention head, discriminator, confusion matrix, bounding box, recurrent network, benchmark, metric, neural network/nn, random forest, GPU, autoencoder, regularizer, perceptron, eigenvector, vocabulary, objective, transformer, tokenizer, baseline, caption, saliency map, ensemble, anchor box, validation set, loss curve, latent vector
stuff: overfitting, dropout, accuracy, training data, regularization, momentum, compute, backpropagation, recall, noise, curvature
action: train, predict, classify, evaluate, fine-tune, normalize, load, save, label, minimize, initialize, freeze:froze:frozen, visualize, feed:fed:fed, cluster, augment, regularize, compute, embed+, optimize, encode, validate, tune, prune, quantize, shuffle, distill, tokenize, crop, annotate, sample, decode, pretrain, backpropagate through, ensemble, maximize, resize, mask, rescale, segment, perturb, calibrate, checkpoint, distribute
failure: overfit+:overfit:overfit, diverge, not converge, explode, run:ran:run out of memory, plateau, collapse, predict the same class, oscillate, stall, forget:forgot:forgotten
trait: convolutional, deep, binary, recurrent, random, hidden, linear, trained, supervised, sparse, nonlinear, pretrained, weighted, imbalanced, dense, sequential, bidirectional, noisy, adversarial, multi-class, overfitted, bayesian, normalized, discrete, generative, one-hot, differentiable, labelled, unsupervised, probabilistic, frozen, stochastic, shallow
problem: vanishing gradient, shape mismatch, memory error, local minimum:local minima, exploding loss, class imbalance, data leak, flat loss curve, mode collapse, dead neuron, distribution shift, dimension error, noisy label, dying gradient
tool: TensorFlow, Keras, PyTorch, scikit-learn, Caffe, XGBoost, OpenCV, Weka, Theano, CUDA, Colab, YOLO, word2vec, BERT, Hugging Face, spaCy, LightGBM, NLTK, JAX, fastai, cuDNN, TensorBoard, gensim, MXNet, Gym, ONNX
code: `loss < 0.1`, `model.fit(x, y)`, `nn.Linear`, `batch_size=32`, `acc > 0.9`, `softmax`, `lr = 0.01`, `x.shape`, `f(x) = wx + b`, `P & R`, `argmax`, `.cuda()`
ext: h5, py, pt, json, tfrecord, npz, onnx

topic web services
field: dependency injection, message queues, caching, authentication, microservices, REST design, unit testing, background jobs, event sourcing
thing: class, method, object, request, API, service, controller, response, exception, endpoint, interface, list, session, bean, thread, model, entity, parameter/param, token, URL, annotation, server, header, query, field, repository/repo, variable/var, array, string, configuration/config, application/app, dependency, route, property, payload, property file, servlet, database/db, factory, filter, test, user, form, validator, queue, proxy:proxies, cache, middleware, singleton, web service, JSON object, handler, listener, logger, mapper, enum, builder, template, serializer, connection pool, annotation processor, thread pool, decorator, interceptor, aggregate, plugin, scheduler, date format, environment/env, locale, role, rate limiter
stuff: logging, serialization, caching, boilerplate, latency, authentication, reflection, garbage collection, concurrency, validation, throttling
action: call, return, inject, implement, map, use, test, create, send:sent:sent, validate, mock, throw:threw:thrown, parse, extend, handle, serialize, save, update, cache, log, authenticate, configure, upload, download, redirect, deserialize, retry, invoke, persist, annotate, wrap, register, stub, autowire, throttle, subclass, deploy, intercept, batch, decorate, proxy, paginate, marshal, debug+, route, decouple, schedule, publish, refactor, consume, deprecate
failure: throw:threw:thrown an exception, return null, time out, fail, hang:hung:hung, return an empty list, crash, log everyone out, block, leak, start twice
trait: null, static, generic, abstract, public, private, asynchronous, custom, default, final, concurrent, optional, stateless, synchronous, nested, invalid, immutable, lazy, transactional, reactive, idempotent, protected, deprecated, thread-safe, scheduled, cached, anonymous, cyclic, internal, legacy, distributed, injectable
problem: null pointer exception, timeout, class cast exception, out of memory error, missing bean, circular dependency, memory leak, race condition, bad request, parse error, stack overflow, server error, type mismatch, bad gateway, serialization error, deadlock, version conflict
tool: Java, Spring, Node.js, PHP, Express, Laravel, Maven, Hibernate, Tomcat, Rails, Django, Flask, Ruby, .NET, C#, Jackson, Symfony, Postman, JUnit, Kafka, IntelliJ, RabbitMQ, Entity Framework, Go, Mockito, GraphQL, Scala, Swagger, Celery, Lombok, Log4j, FastAPI, Quarkus, Akka, Sidekiq, gRPC
code: `List<String>`, `x -> x.id`, `@Autowired`, `{"id": 1}`, `a && b`, `200 OK`, `i < list.size()`, `Map<String, Object>`, `$_POST`, `404`, `null`, `?id=3&page=2`, `x => x.Name`, `<bean>`, `public static void`
ext: java, json, php, xml, rb, cs, properties, go

topic typesetting
field: bibliography management, page layout, technical writing, typography, slide design, math typesetting, font design, thesis writing
thing: table, figure, equation, document/doc, package, font, page, citation, section, chapter, line, footnote, bibliography, column, margin, caption, command, environment, symbol, header, paragraph, reference, label, arrow, box, template, matrix:matrices, bullet, list, cell, title page, line break, theorem, glyph, node, axis:axes, slide, diagram, subscript, proof, bracket, glossary, appendix:appendices, fraction, hyphen, quote, listing, abstract, character, index:indices, minipage, page number, superscript, preamble, macro, cover, thesis:theses, counter, ligature, sidenote, accent, integral sign
stuff: spacing, alignment, kerning, numbering, hyphenation, indentation, white space, leading, justification, syntax highlighting
action: align, center, cite, draw:drew:drawn, number, label, format+, compile, rotate, change, reference, typeset+:typeset:typeset, indent, insert, remove, resize, wrap, place, define, highlight, redefine, justify, shift, caption, color, split+:split:split, underline, hyphenate, crop, renumber, abbreviate, bold, enumerate, footnote, patch, nest, space out, italicize, cross-reference
failure: overlap+, move to the next page, disappear, stick:stuck:stuck out, not compile, break:broke:broken, shift, run:ran:run off the page, wrap strangely, overflow
trait: vertical, horizontal, bold, italic, two-column, numbered, centered, floating, long, blank, mathematical, rotated, unnumbered, sans-serif, landscape, curly, dashed, wide, vertical, multi-line, shaded, dotted, hyperlinked, coloured, starred, narrow, commutative, justified, nested, bilingual
problem: overfull box, missing reference, undefined citation, blank page, missing font, widow, bad break, font warning, encoding error, package clash, option clash, misplaced float, extra brace, missing number, orphan
tool: LaTeX, TikZ, Overleaf, beamer, BibTeX, TeXstudio, LyX, XeLaTeX, biblatex, KOMA, Word, Pandoc, TeX Live, InDesign, memoir, MiKTeX, pgfplots, biber, hyperref, LuaTeX, siunitx, FontForge, Zotero, ConTeXt, Markdown, amsmath, fontspec, babel
code: `\begin{table}`, `\\`, `a & b \\`, `\usepackage{babel}`, `x < y`, `$x^2$`, `\hline`, `\textbf`, `A & B`, `[htbp]`, `\frac{a}{b}`, `--shell-escape`
ext: tex, bib, sty, pdf, cls, aux

topic games
field: level design, pathfinding, multiplayer games, game balance, procedural generation, collision detection, character animation, modding
thing: player, enemy, level, sprite, character, weapon, camera, map, scene, object, tile, item, script, collider, game, mob, ball, bullet, platform, prefab, controller, score, coroutine, animation, inventory, spawn point, quest, card, joystick, save file, hitbox, terrain, turn, boss, command block, texture pack, physics engine, dungeon, health bar, sound effect, ragdoll, raycast, high score, vehicle, trigger zone, chunk, cutscene, navmesh, spell, monster, server, lobby, power-up, hero:heroes, building, villager, chest, portal, main menu, leaderboard, tutorial level, skill tree, particle effect, world, door, projectile, minimap, checkpoint, game loop, grid, dice:dice, crafting recipe, achievement
stuff: gravity, damage, lag, experience, gold, collision, friction, pathfinding, loot, stamina, frame rate
action: spawn, move, kill, attack, shoot:shot:shot, instantiate, destroy, build:built:built, rotate, load, animate, jump over, collect, follow, beat:beat:beaten, find:found:found, spawn in, equip+, craft, push, upgrade, unlock, reload, script, collide with, balance, hit:hit:hit, throw:threw:thrown, trade, save, mod, catch:caught:caught, generate, tame, dodge, summon, respawn, freeze:froze:frozen, teleport, defeat, farm, sell:sold:sold, nerf, tether, patrol+
failure: fall:fell:fallen through the floor, get:got:gotten stuck, glitch, lag, despawn, crash, stutter, jitter, freeze:froze:frozen, bounce, not respawn, desync, vanish
trait: random, dead, moving, hostile, playable, rigid, isometric, infinite, invisible, multiplayer, two-dimensional, destructible, procedural, friendly, rare, stuck, kinematic, flying, jumpy, enchanted, turn-based, legendary, poisonous, pixelated, overpowered, underwater, single-player, armoured, endless, magical, sneaky
problem: collision bug, frame drop, lag spike, null reference, save corruption, desync, animation glitch, input delay, crash on load, stuck player, missing texture, soft lock, clipping issue, physics bug
tool: Unity, Unreal, Godot, Minecraft, Pygame, GameMaker, LibGDX, MonoGame, Steam, Skyrim, Cocos2d, Roblox, Box2D, PhysX, Phaser, Photon, RPG Maker, Blender, Lua, Tiled, Love2D, Mirror, Bullet, Ogre, Source, SDL, Bukkit, Mixamo, Forge
code: `transform.position`, `speed > 0`, `OnCollisionEnter`, `hp < 10`, `/give @p`, `Vector3.up`, `Time.deltaTime`, `x += 1`, `isGrounded`, `Instantiate()`, `a && b`, `/tp @a`
ext: cs, unity, tmx, json, gd, sav, lua

topic maps
field: geocoding, remote sensing, spatial analysis, cartography, web mapping, route planning, terrain analysis, land-cover mapping, GPS surveying
thing: layer, map, polygon, shapefile, raster, point, line, feature, coordinate, attribute table, projection, field, area, tile, buffer, boundary, vector layer, grid, geometry, extent, basemap, plugin, symbol, pixel, band, satellite image, legend, street, river, marker, elevation model, route, geodatabase, bounding box, centroid, contour, mosaic, attribute, parcel, label, contour line, waypoint, watershed, postcode, zoom level, vertex:vertices, road network, land use, heat map, orthophoto, island, point cloud, census tract, hillshade, coastline, city block, GPS track, address, time zone, atlas, scale bar, drone image, catchment, geofence, topology rule, isochrone
stuff: elevation, resolution, topology, accuracy, distortion, vegetation, rainfall, land cover, slope, georeferencing
action: clip, reproject, overlay, digitize, geocode, convert, join, export, label, zoom to, intersect, buffer, measure, select, dissolve, style, merge, draw:drew:drawn, calculate, rasterize, georeference, interpolate, classify, vectorize, mosaic, symbolize, simplify, snap, mask, extract, publish, survey, map, resample, cluster, tile, split+:split:split, triangulate, hillshade, crop, align, query
failure: disappear, shift, land in the ocean, fail, draw:drew:drawn slowly, crash, misalign, overlap+, return nothing, drift, not line up
trait: overlapping, spatial, geographic, projected, adjacent, vector, multiband, rural, urban, irregular, hydrological, concentric, coastal, adjoining, seasonal, circular, topographic, distant, invalid, georeferenced, annual, nearest, mountainous, interpolated, geodesic, panchromatic, sparse, oblique, elongated
problem: projection mismatch, sliver polygon, gap, topology error, invalid geometry, missing tile, wrong datum, null geometry, self-intersection, coordinate shift, license error, edge effect, stripe artifact, scale problem
tool: QGIS, ArcGIS, PostGIS, Leaflet, OpenLayers, GDAL, GeoServer, Google Maps, Mapbox, OpenStreetMap, ArcPy, GRASS, Google Earth, GeoPandas, Shapely, MapInfo, ENVI, Landsat, SAGA, Rasterio, Carto, Cesium, MapServer, FME, Sentinel, osm2pgsql, PROJ, Turf
code: `EPSG:4326`, `ST_Intersects(a, b)`, `x > 180`, `lat, lon`, `ndvi < 0.2`, `WGS 84`, `"type" = 'road'`, `ST_Buffer`, `area >= 1000`, `-9999`, `1:25 000`
ext: shp, tif, geojson, gpx, kml, gpkg

topic photography
field: night photography, portrait lighting, colour management, video editing, macro photography, film development, street photography, wedding photography, lens design
thing: lens, camera, photo, image, shot, flash, filter, tripod, sensor, shutter, picture, video, frame, battery, memory card, exposure, aperture, viewfinder, portrait, background, mount, adapter, lens cap, film, negative, subject, raw file, preset, histogram, timelapse, clip, print, scanner, monitor, strobe, softbox:softboxes, umbrella, reflector, hood, zoom lens, album, catalog, keyword, focal length, light meter, focus point, remote trigger, prime lens, backdrop, panorama, polarizer, watermark, colour profile, landscape, telescope, teleconverter, camera bag, slide, darkroom, spotlight, close-up, gimbal, drone, slider, diaphragm, bellows:bellows, mirror, thumbnail, soundtrack, transition
stuff: light, noise, sharpness, contrast, depth of field, dust, focus, grain, dynamic range, vignetting, sunlight, saturation, moisture
action: shoot:shot:shot, focus, expose, edit, crop, buy:bought:bought, print, clean, sharpen, import, mount, develop, scan, adjust, zoom, trigger, carry, frame, retouch, stitch, light, capture, blur+, brighten, darken, store, tag, calibrate, desaturate, stabilize, soften, tint, repair, align, underexpose, digitize, transcode, borrow, rent, bracket, clone out, straighten, rate, colour-correct, relight:relit:relit
failure: come:came:come out blurry, overexpose, not focus, fog, jam, run:ran:run empty, hunt for focus, lock up, fade, look flat, shake:shook:shaken
trait: blurry, sharp, dark, bright, wide, manual, full-frame, overexposed, automatic, grainy, cheap, black-and-white, long, natural, soft, vintage, dim, circular, sunny, out-of-focus, handheld, colourful, panoramic, waterproof, shallow, weather-sealed, cloudy, underexposed, cinematic, mirrorless, heavy, dusty
problem: lens flare, dust spot, hot pixel, colour cast, red eye, focus error, light leak, card error, stuck shutter, blown highlight, banding problem, scratched lens, dead battery, shaky picture, chromatic fringe, rolling shutter effect
tool: Lightroom, Canon, Nikon, Photoshop, Sony, Fuji, darktable, Premiere, GoPro, Capture One, Olympus, Final Cut, Pentax, Sigma, Tamron, DaVinci Resolve, Manfrotto, RawTherapee, digiKam, Leica, Hugin, Kdenlive, Godox, Hasselblad, Flickr, Affinity, Picasa, Tokina, Bridge, Magic Lantern
code: `f/2.8`, `ISO 3200`, `1/60 s`, `50 mm`, `f/1.4 & f/2`, `ISO > 800`, `24 fps`, `-1 EV`, `5600 K`, `< 1/30 s`
ext: jpg, raw, tiff, mov, dng, xmp, mp4
)";
}

}  // namespace sfumato::data
