#include "census/voter/foreign_words.h"

#include "data/text.h"

namespace sfumato::census {
namespace {

Language Make(std::string name, std::string_view common,
              std::string_view others) {
  return {std::move(name), data::SplitTokens(common),
          data::SplitTokens(others)};
}

}  // namespace

const std::vector<Language>& Languages() {
  static const std::vector<Language> languages = {
      Make("English",
           "the of and to in is you that it he was for on are as with his they "
           "i at be this have from or had by not but what all were we when can "
           "there an your which their if will how",
           "house water people work world school mother father morning "
           "evening street city friend question answer time place hand year "
           "country money book table window letter"),
      Make("German",
           "der die und in den von zu das mit sich des auf für ist im dem "
           "nicht ein eine als auch es an werden aus er hat dass sie nach wird "
           "bei einer um am sind noch wie einem über so zum war haben nur "
           "oder aber vor zur bis mehr durch man kann ich wenn wir",
           "haus wasser leute arbeit welt schule mutter vater morgen abend "
           "straße stadt freund frage antwort zeit ort jahr land geld buch "
           "tisch fenster brief möchte glaube gerade heute gestern immer "
           "wieder schon vielleicht natürlich problem lösung"),
      Make("French",
           "de la le et les des en un du une que est pour qui dans a par plus "
           "pas au sur ne se ce il sont avec ou son je mais elle nous vous "
           "cette "
           "aux ont ses été être leur comme si tout fait y c'est j'ai on",
           "maison eau gens travail monde école mère père matin soir rue "
           "ville ami question réponse temps année pays argent livre fenêtre "
           "lettre aujourd'hui toujours jamais peut-être problème solution "
           "merci bonjour beaucoup quelque chose quand"),
      Make("Spanish",
           "de la que el en y a los se del las un por con no una su para es al "
           "lo como más o pero sus le ha me si sin sobre este ya entre cuando "
           "todo esta ser son dos también fue había era muy años hasta",
           "casa agua gente trabajo mundo escuela madre padre mañana noche "
           "calle ciudad amigo pregunta respuesta tiempo lugar país dinero "
           "libro mesa ventana carta hoy siempre nunca quizás problema "
           "gracias hola mucho algo donde"),
      Make("Italian",
           "di e il la che in a per un è del non una i con si da le dei della "
           "sono al come più ma ha gli anche lo alla nel o se mi questo io "
           "delle cui suo tutto ci era essere hanno stato molto",
           "casa acqua gente lavoro mondo scuola madre padre mattina sera "
           "strada città amico domanda risposta tempo luogo paese soldi libro "
           "tavolo finestra lettera oggi sempre mai forse problema grazie "
           "ciao qualcosa dove"),
      Make("Portuguese",
           "de a o que e do da em um para é com não uma os no se na por mais "
           "as dos como mas foi ao ele das tem à seu sua ou ser quando muito "
           "há nos já está eu também só pelo pela até isso",
           "casa água gente trabalho mundo escola mãe pai manhã noite rua "
           "cidade amigo pergunta resposta tempo lugar país dinheiro livro "
           "mesa janela carta hoje sempre nunca talvez problema obrigado olá "
           "alguma coisa onde"),
      Make("Dutch",
           "de van het een en in is dat op te zijn met voor niet die aan er "
           "om ook als dan maar bij of uit nog naar heeft hij ze wordt kan "
           "door over tot je ik deze worden zo hebben wel geen mijn",
           "huis water mensen werk wereld school moeder vader ochtend avond "
           "straat stad vriend vraag antwoord tijd plaats jaar land geld boek "
           "tafel raam brief vandaag gisteren altijd nooit misschien probleem "
           "bedankt hallo iets waar"),
      Make("Polish",
           "w i na się z do nie to że o jest jak po co za od tak ale już być "
           "dla czy przez tylko może jego był są ma ze są który kiedy jej "
           "tego jeszcze mnie mi go bardzo ja",
           "dom woda ludzie praca świat szkoła matka ojciec rano wieczór "
           "ulica miasto przyjaciel pytanie odpowiedź czas miejsce rok kraj "
           "pieniądze książka stół okno list dzisiaj zawsze nigdy problem "
           "dziękuję cześć coś gdzie"),
      Make("Swedish",
           "och att det i en jag som är på för med han inte av den till har "
           "om ett var de men så man kan när då hon eller vad vi nu från ut "
           "alla mycket sig där efter här",
           "hus vatten folk arbete värld skola mor far morgon kväll gata "
           "stad vän fråga svar tid plats år land pengar bok bord fönster "
           "brev idag igår alltid aldrig kanske problem tack hej något"),
      Make("Turkish",
           "ve bir bu da de için ile çok ne daha o gibi var ama en kadar "
           "olarak sonra ben mi değil olan her şey yok ki ya sen biz nasıl "
           "onun bunu diye göre ise",
           "ev su insanlar iş dünya okul anne baba sabah akşam sokak şehir "
           "arkadaş soru cevap zaman yer yıl ülke para kitap masa pencere "
           "mektup bugün dün her zaman asla belki sorun teşekkürler merhaba"),
      Make("Indonesian",
           "yang dan di itu dengan untuk tidak ini dari dalam akan pada juga "
           "saya ke karena ada kami bisa sudah atau oleh mereka kita seperti "
           "lebih anda harus bagaimana tetapi",
           "rumah air orang kerja dunia sekolah ibu ayah pagi malam jalan "
           "kota teman pertanyaan jawaban waktu tempat tahun negara uang buku "
           "meja jendela surat hari selalu mungkin masalah terima kasih"),
      Make(
          "Russian",
          "и в не на я быть он с что а по это она этот к но они мы весь "
          "который из у то за свой ты от со для о же все так его как бы только "
          "еще если уже когда или ни вы мне",
          "дом вода люди работа мир школа мать отец утро вечер улица город "
          "друг вопрос ответ время место год страна деньги книга стол окно "
          "письмо сегодня вчера всегда никогда может проблема спасибо"),
      Make("Greek",
           "και το να του η της με που την από για είναι στο ο οι τα στη δεν "
           "θα τον σε τους των ότι αυτό μου μας αλλά πως",
           "σπίτι νερό άνθρωποι δουλειά κόσμος σχολείο μητέρα πατέρας πρωί "
           "βράδυ δρόμος πόλη φίλος ερώτηση απάντηση χρόνος μέρος βιβλίο"),
      Make("Chinese",
           "的 是 不 我 有 这 个 了 在 你 我们 他 和 也 就 都 什么 没有 可以 "
           "怎么",
           "房子 水 人 工作 世界 学校 母亲 父亲 早上 晚上 城市 朋友 问题 "
           "回答 时间 地方 国家 书 请问这个问题怎么解决 谢谢大家的帮助"),
  };
  return languages;
}

}  // namespace sfumato::census
