#include "data/generate/forum_grammar.h"

namespace sfumato::data {

std::string_view ForumPhrases() {
  return R"(
rule np
  16: the {thing}
  12: my {thing}
  9: the {trait} {thing}
  6: a {trait} {thing}
  7: a {thing}
  6: the {thing.s}
  4: all the {thing.s}
  3: every {thing}
  3: my {trait} {thing.s}
  2: several {thing.s}
  2: {number} {thing.s}
  2: two {trait} {thing.s}
  2: the {thing} from {tool}
  2: another {thing}
  13: the {ident} {thing}
  2: each {thing}
  3: this {thing}
  2: our {thing.s}
  2: the last {thing}
  2: one of the {thing.s}
  2: {thing.s}
  1: the {thing} called {ident}
  5: the output of {call}
  5: {ident}
  3: the {thing.s} in {file}
  1: the {thing} of my {person}

rule one
  16: the {thing}
  12: my {thing}
  8: the {trait} {thing}
  5: this {thing}
  4: my {trait} {thing}
  3: the {action.er}
  5: {tool}
  14: {call}
  2: the {thing} from {tool}
  2: our {thing}
  12: the {ident} {thing}
  2: the whole {thing}
  2: every {trait} {thing}
  2: the first {thing}
  2: {project}
  5: the {thing} in {file}
  1: one of my {thing.s}

rule item
  8: the {thing}
  6: my {thing}
  3: this {thing}
  4: the {ident} {thing}
  2: every {thing}
  2: the {thing} in {file}
  1: our {thing}
  1: the first {thing}
  1: the output of {call}

rule many
  3: the {ident} {thing.s}
  9: the {thing.s}
  6: my {thing.s}
  3: some {thing.s}
  3: all {thing.s}
  5: the {trait} {thing.s}
  2: most {thing.s}
  3: these {thing.s}
  1: half of the {thing.s}
  2: our {trait} {thing.s}
  1: many {thing.s}
  1: the other {thing.s}

rule trouble
  6: a {problem}
  7: {error}
  2: the same {problem}
  2: {error} or a {problem}
  1: {value}
  1: an [ugly|odd|endless|annoying] {problem}

rule vp
  24: {action} <np>
  5: {action} <np> {manner}
  6: {action} <np> with {tool}
  5: {action} <np> in {tool}
  2: {action} <np> in {file}
  2: {action} and {action} <np>
  1: get {tool} to {action} <np>
  3: use {tool} to {action} <np>
  3: call {call} on <np>
  1: set {ident} to {number} in {file}
  2: pass <np> to {call}
  1: get rid of <np>
  1: find out why <one> <fails>
  1: tell {tool} to {action} <np>
  1: compare <np> with <np>
  1: turn <np> into a {thing}
  1: copy <np> to my {place}
  1: stop {tool} from {action.ing} <np>
  2: {action} <np> without {action.ing} <np>
  1: avoid {action.ing} <np>
  1: write a {action.er} for <np>
  1: check [whether|if] <item> is {trait}

rule vping
  12: {action.ing} <np>
  3: {action.ing} <np> {manner}
  3: {action.ing} <np> with {tool}
  2: {action.ing} {ident}
  1: {action.ing} and {action.ing} <np>
  1: using {tool} to {action} <np>
  1: calling {call} on <np>
  1: passing <np> to {call}
  1: switching to {tool}

rule vped
  12: {action.ed} <np>
  3: {action.ed} {ident} in {file}
  3: {action.ed} <np> {manner}
  2: {action.ed} <np> with {tool}
  1: {action.ed} and {action.ed} <np>
  2: used {tool} to {action} <np>
  2: switched from {tool} to {tool}
  2: installed {tool} {version}
  1: moved <np> to my {place}
  1: added {call} to <np>
  1: upgraded {tool} to {version}
  1: changed {ident} in {file}

rule fails
  10: {failure.s}
  4: keeps {failure.ing}
  4: {does not/doesn't} {action} <np>
  4: throws {error}
  3: gives me <trouble>
  3: returns {value}
  2: says "{error}"
  3: is [{adverb}|too|rather|a bit|so] {like}
  2: still {failure.s}
  1: takes {number} [seconds|minutes|hours]
  2: refuses to {action} <np>
  2: ends up {trait}
  1: shows {value}
  2: {cannot/can't} {action} <np>
  2: has problems with {stuff}
  1: is {action.en} twice
  1: {is not/isn't} {action.able}
  1: gets {action.en} {manner}

rule fail
  8: {failure.pl}
  3: keep {failure.ing}
  3: {do not/don't} {action} <np>
  2: return {value}
  2: are [{adverb}|too|rather] {like}
  2: still {failure.pl}
  1: end up {trait}
  1: have problems with {stuff}
  1: {are not/aren't} {action.able}
  2: {cannot/can't} {action} <np>
  1: are {action.un}

rule when
  6: when I {action} <np>
  3: whenever I {action} <np>
  3: if I {action} <np>
  3: every time I {action} <np>
  3: after {action.ing} <np>
  2: as soon as <item> is {action.en}
  2: while {action.ing} <np>
  3: when <item> is {trait}
  3: on my {place}
  2: after {number} [seconds|minutes|hours]
  2: with {tool} {version}
  1: since I <vped>
  3: in {tool}
  1: under heavy load
  1: right after <vping>
  1: unless I {action} <np>
  1: for [no|some] reason
  3: with {ident} set to {number}
  2: in line {number} of {file}
  1: once {ident} is [set|empty|larger than {number}]
  1: as long as {tool} is running
  2: when I open {file}
  2: when {call} is called

rule where
  5: in {tool}
  4: on my {place}
  5: in {file}
  2: with {tool}
  2: with the help of {call}
  1: inside <np>
  1: on our {place}
  1: in my {project} project

rule aim
  5: so that I can <vp>
  6: to <vp>
  2: in order to <vp>
  2: so I can {action} <np>
  3: for my {purpose}
  2: for a {purpose}
  2: without <vping>
  2: instead of <vping>
  2: before {action.ing} <np>
  1: for {number} {group}

rule but
  4: but it <fails>
  4: but <one> <fails>
  2: but <one> stopped working {span}
  2: but nothing happens
  3: but I {do not/don't} know how
  3: but I keep getting <trouble>
  3: but it {does not/doesn't} seem to work
  2: but only <when>
  1: but {I am/I'm} not sure whether it is {quality}
  1: but the {doc} {does not/doesn't} mention it
  2: but I would rather <vp>
  1: but that is {like}
  2: and <one> still <fails>
  1: but now <many> <fail>
  1: and I have no idea why

rule issue
  5: how to <vp>
  4: why <one> <fails>
  2: why <many> <fail>
  2: whether <one> can {action} <np>
  2: which {thing} I should {action}
  1: where <one> comes from
  1: what {call} does
  1: when to <vp>

rule fact
  6: <one> <fails>
  3: <many> <fail>
  2: {tool} {failure.s} <when>
  2: <item> is [{action.en}|already {action.en}|never {action.en}]
  1: you have to <vp>
  1: {tool} is {like}
  1: there is <trouble> in <np>
  1: {field} can be {quality}

rule since
  4: because <fact>
  2: since <item> is {trait}
  1: because of <trouble>
  1: because the {doc} says so
)";
}

std::string_view ForumOpenings() {
  return R"(
open 110: I have
  a {trait} {thing} that <fails>.
  a {thing} and want to <vp> [<where>|].
  a {trait} {thing} [<where>|] and I need to <vp>.
  the following {thing} [<where>|], <but>.
  tried to <vp>, <but>.
  [already|just|even|only] tried {tool} and {tool}, <but>.
  {number} {thing.s} and [want|need|have] to <vp>.
  been <vping> [for {number} [days|hours|weeks]|since {span}|], <but>.
  no idea <issue>.
  a question about {field}.
  a {person} who wants me to <vp>.
  to <vp> for {number} {group}, <but>.
  a problem <vping> [<where>|].
  two {thing.s}: one is {trait}, the other <fails>.
  problems with {field} since I <vped>.
  read a {doc} about {field}, but I still {do not/don't} understand <issue>.
  an application that uses {tool} to {action} <np>.
  <np> in {file} and would like to <vp>.
  [absolutely|nearly|practically|so far] no experience with {field}.
  to write a {action.er} for my {purpose}.
  searched for a {doc} on {field} without any luck.

open 85: {I am/I'm}
  trying to <vp> [<where>|] [<aim>|].
  trying to <vp>, <but>.
  using {tool} {version} [on my {place}|] and want to <vp>.
  using {tool} to {action} <np>, <but>.
  {feeling} [about|with] {field}[, any pointers?|.]
  looking for a {way} to <vp>.
  looking for a [good|simple|short|recent] {doc} about {field}.
  working on a {purpose} and need to <vp>.
  getting <trouble> <when>.
  not sure <issue>.
  [having|seeing] <trouble> <when>.
  new to {tool}, so please tell me <issue>.
  wondering <issue>.
  a [student|beginner|hobbyist|designer|teacher|nurse|biologist|retired engineer|freelancer] and [quite|rather|completely] new to {field}.
  able to <vp>, <but>.
  not able to <vp> [<where>|].
  building a {thing} for a {purpose}.
  [planning|going] to <vp> [next week|soon|this month|].
  {feeling} because <one> <fails>.
  writing a {action.er} in {tool} [<aim>|].

open 72: how can
  I <vp> [<where>|]?
  I <vp> <aim>?
  I {action} <np> [<when>|]?
  I tell whether <item> is {trait}?
  I stop {tool} from {action.ing} <np>?
  we <vp> without worrying about {stuff}?
  I make <one> {action} <np>?
  I get a list of all {trait} {thing.s} [<where>|]?
  one <vp> {manner}?
  I avoid <trouble> <when>?
  you {action} <np> when <item> is {trait}?

open 60: is there
  a {way} to <vp> [<where>|]?
  any {way} to <vp> [<aim>|]?
  a {way} in {tool} that {action.s} <np>?
  an easy {way} to <vp>?
  a [better|faster|simpler|cleaner|free|standard] {way} to <vp>?
  a {way} that lets me <vp>?
  anything like {tool} for {field}?
  something wrong with <np>?
  any reason why <one> <fails>?
  a limit on the number of {thing.s} [<where>|]?
  a difference between {tool} and {tool} for {field}?
  a good {doc} [on|about] {field}?
  a {way} for {field} in {tool}?
  such a thing as a {trait} {thing}?
  some {way} that would let me <vp>?

open 44: how do
  I <vp> [<where>|]?
  I {action} <np> <when>?
  you {adverb} {action} <np>?
  I find out <issue>?
  I <vp> <aim>?
  other people {action} their {thing.s}?
  {group} [usually|normally|typically|generally] deal with {field}?
  I get from a {thing} to a {trait} {thing}?
  I convince my {person} to use {tool}?

open 38: I want
  to <vp> [<where>|] [<aim>|].
  to <vp>, <but>.
  <one> to {action} <np> <when>.
  my {person} to be able to <vp>.
  to know <issue>.
  a {trait} {thing} that {action.s} <np>.
  to build a {thing} [like|similar to] {tool} for {group}.
  to learn {field}, where should I start?
  {group} to {action} <np> {manner}.

open 34: {what is/what's}
  the [best|right|easiest|fastest|proper|recommended] {way} to <vp> [<where>|]?
  the difference between {call} and {call} [<where>|]?
  the difference between a {thing} and a {thing}?
  the {trait} {thing} in {file} for?
  the meaning of {error} [<where>|]?
  wrong with <np>?
  the point of {action.ing} <np> if <fact>?
  the {tool} equivalent of {code}?
  the maximum number of {thing.s} that {tool} can {action}?
  a {trait} {thing} and when do I need one?
  causing <trouble> <when>?
  {code} supposed to do <where>?

open 30: the problem
  is that <fact>.
  is that <fact> <when>.
  [only|still] [happens|occurs|appears] <when>.
  is <trouble> in <np>.
  with {tool} is that <fact>.
  with this {way} is that <fact>.
  was [simply|just|apparently] a [missing|wrong|forgotten] {thing} in {file}.
  went away after I <vped>.
  seems to be {call}, which <fails>.
  {does not/doesn't} [occur|happen] <when>.

open 27: when I
  {action} <np>, <one> <fails>.
  {action} <np> [<where>|], I get <trouble>.
  run {file} [<where>|], it <fails>.
  try to <vp>, it <fails>.
  try to <vp>, {tool} says "{error}".
  click on the {thing}, <one> <fails>.
  use {tool} instead, <many> <fail>.
  look at <np>, I see {value}.
  call {call}, it returns {value}.
  {action} <np> a second time, everything is fine.
  set {ident} to {number}, <one> <fails>.

open 26: I need
  to <vp> [<where>|] [<aim>|].
  to <vp>, <but>.
  a {way} to <vp> [<where>|].
  help with <np>.
  some advice on {field}.
  <np> to be {trait}, <but>.
  to know <issue>.
  a {trait} {thing} for a {purpose}.
  this for {number} {group}, so it has to be {trait}.

open 24: you can
  use {tool} to <vp>.
  use {call} to {action} <np>.
  {action} <np> with {code}.
  also <vp>.
  {adverb} {action} <np> if <item> is {trait}.
  try to <vp> first.
  see in {file} that <fact>.
  find a {doc} about {field} on my {place}.
  set {ident} to {number} and {action} <np> again.
  avoid the {problem} by {action.ing} <np>.
  get the same result by <vping>.

open 22: can I
  <vp> [<where>|]?
  [simply|just|somehow|really|safely] {action} <np> with {tool}?
  use {tool} to {action} <np>?
  <vp> without <vping>?
  replace {call} with {call}?
  [trust|ignore|reuse] <np> after {action.ing} the {thing}?
  [combine|mix] {tool} and {tool} <aim>?
  {action} <np> while {tool} is running?

open 20: this is
  what I have [so far|tried|done]: {code}.
  my first {thing} in {tool}, so be kind.
  because <fact>.
  [the|my] {thing} that <fails>.
  [probably|surely|perhaps|clearly] a {problem} in {tool} {version}.
  for a {purpose}, so {stuff} is important.
  not {quality} <when>.
  how I {action} <np>: {code}.
  what the {doc} says about {field}.
  {quality} as long as <item> is {trait}.
  the {error} I get <when>.

open 19: does anyone
  know <issue>?
  know a {way} to <vp>?
  have a [working|good|simple|complete] example of {field} [<where>|]?
  have experience with {field}?
  {adverb} use {tool} for {field}?
  see why <one> <fails>?
  know what {error} means?
  here {action} <np> with {tool}?
  else get <trouble> <when>?

open 18: I tried
  to <vp>, <but>.
  {action.ing} <np>, <but>.
  {tool} and {tool}, <but>.
  {call} [too|as well|instead|], <but>.
  <vping>, which {did not/didn't} help.
  everything in the {doc}, <but>.
  that with {tool} {version} {span}, <but>.
  {code} and also {code}, <but>.

open 17: is it
  [possible|{quality}] to <vp> [<where>|]?
  [possible|okay|{quality}] to <vp> <aim>?
  [possible|normal|common|true|intended] that <fact>?
  a bad idea to <vp>?
  [because|possible that] <fact>?
  better to <vp> or to <vp>?
  the {thing} or the {thing} that <fails>?

open 17: I would
  like to <vp> [<where>|] [<aim>|].
  like to know <issue>.
  {adverb} {action} <np> first.
  rather <vp> than <vp>.
  use {tool} for that, <since>.
  suggest {action.ing} <np> [<where>|].
  appreciate a {doc} about {field}.
  not {action} <np> <when>.

open 15: why does
  <one> {action} <np> <when>?
  {call} return {value} <when>?
  {tool} {action} <np> {manner}?
  my {thing} [always|only|sometimes|suddenly] {failure} <when>?
  it take {number} [seconds|minutes|hours] to <vp>?
  {code} give me <trouble>?
  nobody {action} <np> {manner}?

open 15: if you
  want to <vp>, use {tool}.
  {action} <np>, you get <trouble>.
  {adverb} need to <vp>, try {call}.
  {do not/don't} {action} <np>, <fact>.
  use {tool} {version}, you can <vp>.
  look at {file}, you will see that <fact>.
  have a {trait} {thing}, <vp> first.
  are {feeling}, read a {doc} about {field}.

open 14: I get
  <trouble> <when>.
  the following {problem} <when>: {error}.
  {value} instead of <np>.
  {error} [at line {number}|] <when>.
  {number} {thing.s}, but I expected only {number}.
  a {problem} that says "{error}".
  <trouble>, although <fact>.

open 13: {there is/there's}
  a {thing} in {tool} that {action.s} <np>.
  no {way} to <vp> [<where>|].
  a {problem} in {file}, line {number}.
  a {problem} <when>.
  also a {doc} about {field}, but it is {like}.
  no need to <vp> if <item> is {trait}.
  a {way} called {ident} that lets you <vp>.
  nothing wrong with {action.ing} <np>.

open 12: I think
  <fact>.
  you should <vp>.
  the {problem} comes from <np>.
  {tool} is {like}, but it {action.s} <np> {manner}.
  it is {quality} to <vp>.
  I need to <vp>, <but>.
  that is {quality} because <fact>.
  <one> <fails> <when>.

open 12: {it is/it's}
  {quality} to <vp> [<when>|].
  [not|{adverb}] {quality} to <vp>.
  a {trait} {thing} [<where>|], <but>.
  the {trait} {thing} that <fails>.
  {adverb} {like}, <but>.
  only {trait} <when>.
  for a {purpose}, so <item> has to be {trait}.
  like {action.ing} <np> with {tool}.

open 11: if I
  {action} <np>, <one> <fails>.
  {action} <np> [<where>|], I get <trouble>.
  <vp>, will <item> be {trait}?
  {action} <np>, how can I {action} the {thing}?
  {do not/don't} {action} <np>, it <fails>.
  use {code} instead of {code}, it <fails>.
  understand {name} correctly, <fact>.

open 10: I know
  that <fact>, <but>.
  how to <vp>, but not how to <vp>.
  {tool} can {action} <np>, <but>.
  there is {call}, <but>.
  that {field} can be {quality}, <but>.
  it is {quality} to <vp>, <but>.

open 10: it seems
  that <fact>.
  that <fact> <when>.
  like <one> <fails>.
  {quality} to <vp>.
  {tool} {version} {does not/doesn't} {action} <np>.
  to be a {problem} in {tool}.
  I have to <vp>, <but>.

open 9: I just
  want to <vp>.
  <vped>, and now <one> <fails>.
  started with {field}, so forgive me if this is {quality}.
  need a {way} to <vp>.
  bought a {thing}, <but>.
  noticed that <fact>.
  {do not/don't} understand <issue>.

open 9: in my
  {thing}, I {action} <np> with {code}.
  case, <fact>.
  opinion, it is {quality} to <vp>.
  {tool} project I have to <vp>.
  {file} I use {call} to {action} <np>.
  experience, {tool} is {like}.
  {trait} {thing}, <many> <fail>.

open 9: should I
  <vp> or <vp>?
  use {tool} or {tool} to {action} <np>?
  {action} <np> before {action.ing} <np>?
  worry about {stuff} <when>?
  be using {call} here?
  ask my {person} to <vp>?

open 9: you need
  to <vp>.
  to <vp> before you {action} <np>.
  a {trait} {thing} for that.
  {tool} {version} or later to <vp>.
  to {action} <np> {manner}, otherwise it <fails>.
  to think about {stuff} before you {action} <np>.

open 8: I thought
  <fact>, but it seems I was wrong.
  I could <vp>, <but>.
  about <vping>, <but>.
  it would be {quality} to <vp>.
  {tool} could {action} <np>.

open 8: any idea
  <issue>?
  what {error} means?
  how I can <vp>?
  why <one> <fails> <when>?
  where I can find a {doc} about {field}?

open 8: my question
  is <issue>.
  is: how do I <vp>?
  is whether it is {quality} to <vp>.
  is about {field}, not about {tool}.
  may be {quality}, but <issue>?
  is why {call} returns {value} <when>.

open 8: has anyone
  [ever|already|successfully|] {action.en} <np> with {tool}?
  [seen|had|fixed] <trouble> <when>?
  tried to <vp> [<where>|]?
  used {tool} for {field}?
  found a {way} to <vp>?

open 8: here is
  what I tried: {code}.
  [the|my|a] {thing} that <fails>.
  a {doc} [on|about] {field}.
  the {trait} {thing} from {file}.
  how I {action} <np>: {code}.
  the part of {file} that <fails>.
  a {way} that {action.s} <np> {manner}.

open 7: what does
  {error} mean?
  {code} mean [<where>|]?
  {call} {adverb} do <when>?
  it mean if <item> is {trait}?
  a {trait} {thing} look like <where>?

open 7: thanks for
  the {doc}, {name}.
  your help, I [will|shall] <vp>.
  the hint about {call}, it works now.
  pointing me to {tool}!
  your answer, <but>.
  the {way}, {name}, but I {cannot/can't} {action} <np>.

open 7: we have
  a {trait} {thing} that {action.s} <np>.
  {number} {group} who {action} <np> every [day|week|month].
  to <vp> [<where>|].
  <vped>, <but>.
  <many> on our {place}, <but>.
  been using {tool} for {field} since {span}.

open 7: {we are/we're}
  using {tool} to <vp>.
  {number} {group} and [usually|often|sometimes|rarely] {action} <np>.
  trying to <vp>, <but>.
  [moving|switching|migrating] from {tool} to {tool}.
  {feeling} because <one> <fails>.

open 7: it works
  [fine|well|perfectly|] <when>, <but>.
  if I {action} <np>.
  {manner}, <but>.
  with {tool} but not with {tool}.
  now, the {thing} was simply {trait}.

open 7: it looks
  like <one> <fails>.
  like a {problem} in {tool}.
  as if <many> <fail>.
  {trait} to me, <but>.
  [great|odd|strange|fine] <where>, <but>.

open 6: where can
  I find <np> [<where>|]?
  I find a {doc} about {field}?
  I {action} <np>?
  I ask about {field}?
  I download {tool} {version}?

open 6: could someone
  [please|{adverb}|] explain <issue>?
  tell me <issue>?
  show me how to <vp>?
  recommend a {doc} about {field}?
  look at my {thing} and tell me why it <fails>?

open 6: I also
  tried to <vp>, <but>.
  want to <vp>.
  {action} <np> with {tool}, <but>.
  noticed that <fact>.
  found a {doc} that says <fact>.
  asked {name}, who told me to <vp>.

open 6: do I
  {adverb} have to <vp>?
  need to <vp> before I {action} <np>?
  need {tool} for {field}?
  lose my {thing.s} if I {action} <np>?
  have to {action} <np> {manner}?

open 6: do you
  know <issue>?
  [really|actually|even|still] need a {trait} {thing} there?
  have <trouble> in {file}?
  use {tool} or {tool} to {action} <np>?
  mean {call} or {call}?
  want to <vp> or just to <vp>?

open 6: I could
  not find a {way} to <vp>.
  <vp>, but I would rather <vp>.
  <vp> if <item> were {trait}.
  use {tool}, but I would rather <vp>.

open 6: I found
  a {doc} that says <fact>.
  a {way} to <vp>, <but>.
  out that <fact>.
  the {problem}: <one> <fails>.
  {call} in the {doc}, <but>.
  this {doc} about {field}, <but>.

open 6: {I am/I'm} not
  sure <issue>.
  able to <vp>.
  allowed to <vp> on my {place}.
  looking for {tool}, I need to <vp>.
  {feeling} with {tool}, <but>.

open 5: {that is/that's}
  {quality}, <since>.
  because <fact>.
  not {quality}, <but>.
  how {tool} {action.s} <np>.
  why I {action} <np> with {tool}.

open 5: for some
  reason <one> <fails>.
  reason <many> <fail> <when>.
  {group} <one> <fails>, for others it works.
  {thing.s} it {action.s} <np>, for others it <fails>.

open 5: as you
  can see, <fact>.
  can see in {file}, <fact>.
  said, <one> <fails>.

open 5: after I
  <vped>, <one> <fails>.
  <vped>, I got <trouble>.
  {action.ed} <np>, everything was {trait} again.
  restarted my {place}, <item> was gone.

open 5: try to
  <vp>.
  {action} <np> before you {action} <np>.
  <vp>, then <vp>.
  {action} <np> {manner} and look for <trouble>.

open 5: make sure
  <item> is {trait} before you {action} <np>.
  that you {action} <np> {manner}.
  you have {tool} {version}.
  {ident} is larger than {number}.
  to <vp> [<when>|].

open 4: not sure
  <issue>.
  if this is {quality}, but you could <vp>.
  what you mean by a {trait} {thing}.
  why, but <one> <fails>.

open 4: what I
  want is a {way} to <vp>.
  {adverb} need is a {trait} {thing}.
  {do not/don't} understand is <issue>.
  did was to <vp>.
  tried: {code}.

open 4: as far
  as I know, <fact>.
  as I can see, <fact>.
  as I understand {field}, it is {quality} to <vp>.

open 4: which {thing}
  should I {action} [<aim>|]?
  do {group} {adverb} {action}?
  is {quality} for a {purpose}?
  of {tool} is the {trait} one?

open 4: please {action}
  <np> before you {action} <np>.
  <np> and show us the {thing}.
  <np> {manner}, then <vp>.

open 4: so far
  I have only {action.en} <np>.
  <one> <fails>.
  I tried to <vp>, <but>.

open 4: a friend
  of mine {action.s} <np> with {tool}.
  told me to <vp>, <but>.
  wants to <vp> for a {purpose}.
  from a {purpose} asked me <issue>.

open 3: unfortunately <one>
  <fails>.
  <fails> <when>.
  is {trait}, so I {cannot/can't} {action} <np>.

open 3: instead of
  <vping>, you can <vp>.
  {code} you could write {code}.
  <np> I get <trouble>.

open 3: let me
  know <issue>.
  explain: I want to <vp>, <but>.
  add that <fact>.

open 3: sorry for
  the {trait} question, but how can I <vp>?
  the late reply, I had to <vp>.
  my English, I hope you understand <issue>.

open 30: the {thing}
  <fails>.
  <fails> <when>.
  is {trait}, <but>.
  in {file} <fails>.
  [has|had] to be {action.en} before I can {action} <np>.
  was {action.en} {span}, <but>.
  {failure.s} <when>, <since>.
  that {action.s} <np> <fails>.
  should be {trait}, <but>.
  I {action.ed} {span} <fails>.
  needs a {trait} {thing}, <but>.
  contains {number} {thing.s} and {value}.

open 14: my {thing}
  stopped working {span}.
  <fails>.
  <fails> <when>.
  looks like this: {code}.
  is {trait}, <but>.
  {adverb} {failure.s} <when>.
  consists of {number} {trait} {thing.s}.
  works <where>, <but>.

open 9: the {trait}
  {thing} <fails>.
  {thing} <fails> <when>.
  {thing.s} <fail>, <but>.
  one is {action.en} by {tool}, the other by {call}.

open 7: my {person}
  wants me to <vp> [<aim>|].
  says that <fact>.
  {adverb} {action.s} <np> with {tool}.
  gave me a {thing} that <fails>.
  and I want to <vp> for a {purpose}.

open 6: using {tool}
  I want to <vp>.
  {version} I get <trouble> <when>.
  to {action} <np> is {quality}.
  on my {place}, <one> <fails>.

open 6: in {tool}
  I want to <vp>.
  {version} <one> <fails>.
  there is a {way} to <vp>.
  you can <vp>, <but>.

open 5: {tool} {failure.s}
  <when>.
  <when>, <but>.
  as soon as I {action} <np>.

open 4: {name} is
  right, <fact>.
  wrong: <fact>.
  asking <issue>.
)";
}

}  // namespace sfumato::data
