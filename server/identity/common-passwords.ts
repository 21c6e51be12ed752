/**
 * Rejects passwords that attackers try first. Most common passwords are a common word with a tail ("Summer2024!"), so the list
 * contains the words, and a password counts as common when little remains besides one.
 *
 * password  after normalisation
 */
export function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  if (whole.has(lower) || isMonotone(lower)) return true
  return [lower, plain(lower)].some((text) => {
    const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    return words.has(core) || isRepeatedWord(core) || (isTwoWords(core) && text.length - core.length <= 4)
  })
}

/** Reads leet spelling as letters, where a letter stands next to it. */
function plain(text: string): string {
  const trimmed = text.replace(/[0-9!@#$%^&*?._+=-]+$/u, (tail) => (/^[@$!]/.test(tail) && tail.length === 1 ? tail : ''))
  return trimmed.replace(/[013457@$!]/g, (sign) => leet[sign] ?? sign)
}

const leet: Readonly<Record<string, string>> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }

/** Only one or two different characters, or a run along an alphabet or a keyboard, once or repeated. */
function isMonotone(text: string): boolean {
  if (new Set(text).size <= 2) return true
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text) && (length <= 4 || runs.some((run) => run.includes(unit))))
      return true
  }
  return runs.some((run) => run.includes(text))
}

function isRepeatedWord(core: string): boolean {
  const half = core.slice(0, core.length / 2)
  return core.length % 2 === 0 && half.repeat(2) === core && words.has(half)
}

function isTwoWords(core: string): boolean {
  for (let at = 1; at < core.length; at++) if (words.has(core.slice(0, at)) && words.has(core.slice(at))) return true
  return false
}

function bothWays(rows: readonly string[]): readonly string[] {
  return rows.flatMap((row) => [row, [...row].reverse().join('')])
}

const runs = bothWays([
  '0123456789012345678901234567890123456789',
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertyuiop[]\\',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'asdfghjkl;',
  'zxcvbnm,./',
  '`1234567890-=',
  '!@#$%^&*()_+',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujmikolp',
  '147258369',
  '741852963',
  '159753',
  '1a2b3c4d5e6f7g8h9i',
  'a1b2c3d4e5f6g7h8i9',
  'aabbccddeeffgg',
  '112233445566778899',
  'qqwweerrttyyuuiioopp',
])

/** Common passwords that are not a word with a tail. */
const whole = new Set(
  `1q2w3e4r 1qaz2wsx 1qaz@wsx zaq12wsx zaq1zaq1 zaq1xsw2 !qaz2wsx qwe123qwe qwe12345 qweasdzxc qweasd123 qwer1234 qwert123 asdf1234
  asdfasdf asdasdasd asd12345 zxcvbnm1 abcd1234 abc12345 abc123abc a1234567 a12345678 a123456789 aa123456 aa12345678 q1234567 q12345678
  z1234567 x1234567 w1234567 s1234567 123456aa 123456ab 12345abc 1234abcd 12344321 12341234 11223344 12121212 13131313 10203040 11235813
  31415926 314159265 3141592653 27182818 20202020 19191919 18273645 12301230 1230123 123123123 123321123 147147147 159159159 963852741
  852456123 789456123 789456123a 456123789 987456321 0987654321 5201314520 1314520520 52013145 woaini520 woaini1314 5201314a a5201314
  147852369 147896325 123654789 1234qwer 123qweasd 123qwe123 123qweasdzxc 12qwaszx 12345qwert qwerty12345 p@ssw0rd p@$$w0rd pa$$word
  pa55word passw0rd pass@123 pass@word1 admin@123 root@123 test@123 abcd@1234 abc@1234 welcome@123 qwerty@123 india@123 iloveyou2 1loveyou
  ncc1701d ncc1701e thx1138a rush2112 blink182 jordan23 matrix99 trustno1 k1ll3r99 drowssap 00000000 11111111 88888888 66666666 99999999
  g_czechout d1lakiss yamaha01 bond007bond jamesbond007 agent007 catch222 c0ffee00 deadbeef cafebabe letmein1 letmein2 changeme1 temp1234
  temp12345 test1234 test12345 user1234 guest123 demo1234 login123 hello123 secret12 master12 1password 2password mypassword1 thepassword`
    .split(/\s+/)
    .filter((entry) => entry !== ''),
)

/**
 * Words that people build passwords from, in the seven languages and a few more. With tails and pairs they stand for many
 * thousand passwords.
 */
const words = new Set(
  `password passwort passwords passcode passphrase pass passe motdepasse contrasena contraseña clave senha parola parolachiave wachtwoord
  heslo haslo salasana lozinka sifre mima kennwort geheim geheimnis secret secreto segredo segreto changeme change letmein letmeinnow
  welcome willkommen bienvenue bienvenido benvenuto bemvindo admin administrator administrador root toor user usuario utente guest
  default temp temporary test testing tester testtest demo sample example login logon signin access open opensesame sesame master
  server system computer internet network windows microsoft google facebook youtube twitter instagram whatsapp telegram tiktok linkedin
  amazon netflix spotify apple iphone samsung android nokia sony nintendo playstation xbox pokemon pikachu mario zelda minecraft fortnite
  roblox candor exchange bitcoin btc ethereum ether ether crypto cryptocurrency blockchain wallet wallets satoshi nakamoto hodl tomoon
  tothemoon lambo binance coinbase kraken dogecoin doge litecoin ripple tether usdt solana trading trader trade invest investor investment
  money dollar dollars euro euros geld dinero argent soldi dinheiro cash bank banking million millionaire billionaire rich gold silver
  diamond platinum qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl asdf zxcvbn zxcvbnm qazwsx qweasd qweqwe qwe asd zxc abc abcd abcde
  abcdef abcdefg abcdefgh alphabet iloveyou ilove loveyou love lover loveme mylove amour amore amor tequiero teamo tiamo jetaime
  ichliebedich liebe schatz schatzi iloveu woaini baby babygirl babyboy honey sweetheart sweetie darling angel angels angelo princess
  princesa princesse principessa prinzessin prince king queen kings royal king dragon dragons monkey monkeys donkey tiger tigers lion
  lions bear bears wolf wolves eagle eagles falcon falcons hawk panther cheetah cat cats kitty kitten hellokitty dog dogs doggy puppy
  bunny rabbit horse horses pony unicorn butterfly dolphin dolphins shark sharks turtle snake spider chicken turkey duck ducky fish
  football fussball futbol futebol calcio soccer baseball basketball hockey tennis golf golfer rugby cricket volleyball boxing karate
  swimming running cycling skate skateboard surf surfer racing racer formula ferrari porsche mercedes bmw audi volkswagen honda toyota
  yamaha suzuki kawasaki ducati harley corvette mustang camaro chevy chevrolet ford jeep lexus nissan subaru mazda hyundai tesla
  barcelona barca realmadrid madrid chelsea arsenal liverpool manchester manutd united juventus juve milan inter roma napoli bayern
  dortmund schalke benfica porto sporting flamengo corinthians palmeiras santos boca river chivas america psg marseille lyon
  yankees redsox cubs mets dodgers giants cowboys steelers packers raiders patriots broncos lakers celtics bulls knicks
  summer winter spring autumn fall sommer fruehling frühling herbst verano invierno otoño otono primavera ete été hiver automne
  printemps estate inverno autunno verao verão outono january february march april may june july august september october november
  december januar februar märz mai juni juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag
  sonntag lunes martes miercoles jueves viernes sabado domingo lundi mardi mercredi jeudi vendredi samedi dimanche
  sunshine sunflower sunny sunrise sunset moon moonlight star stars starlight sky bluesky rainbow rain snow snowball snowman storm thunder
  lightning fire fireball flame ice water ocean beach island mountain river forest tree flower flowers rose roses lily daisy jasmine
  violet orchid tulip garden apple apples banana orange lemon cherry strawberry peach mango melon cookie cookies chocolate candy sugar
  cheese pizza burger coffee tea beer wine vodka whiskey tequila butter pepper ginger cinnamon vanilla caramel biscuit muffin cupcake
  red green blue black white yellow purple pink brown gray grey golden scarlet crimson shadow shadows dark darkness darkside light
  night nightmare midnight ghost demon devil satan hell heaven god godisgood jesus jesuschrist christ maria mary allah buddha faith hope
  grace blessed blessing church bible angel666 prayer peace freedom liberty justice honor glory victory power powerful energy force
  strong legend hero superhero superman batman spiderman ironman hulk wolverine deadpool joker avengers marvel starwars skywalker
  yoda vader darthvader jedi matrix neo trinity morpheus gandalf frodo hobbit potter harrypotter hermione hogwarts dumbledore naruto
  sasuke sakura goku vegeta dragonball onepiece luffy zoro simpsons homer bart southpark cartman rick morty scooby scoobydoo snoopy
  garfield mickey minnie donald goofy disney barbie shrek elsa frozen simba nemo tigger winnie pooh bond james jamesbond rambo rocky
  terminator predator alien aliens gladiator maximus spartacus spartan spartans warrior warriors knight ninja samurai pirate pirates
  viking cowboy hunter killer sniper soldier army navy marines police captain commander general chief boss bigboss master1 wizard magic
  magician mystic phoenix griffin pegasus mercury venus mars jupiter saturn neptune pluto galaxy universe cosmos apollo zeus athena
  hercules thor odin loki freya anubis osiris michael michelle daniel daniela david andrew andrea anthony antonio ashley alexander
  alexandra alexis alex amanda angela angelina barbara benjamin brandon brittany carlos caroline carmen charles charlie charlotte
  chelsea chris christian christina christine christopher claudia cristina danielle diana diego dominic edward elizabeth emily emma
  eric eduardo fernando francesca francesco francisco franco gabriel gabriela george giovanni giulia giuseppe hannah heather hector
  helena henry isabella ivan jack jackson jacob jasmin jason jennifer jeremy jessica john johnny jonathan jordan jorge joseph joshua juan
  julia julian justin karen katherine kevin kimberly laura lauren leonardo linda lisa lorenzo louis lucas luis madison manuel marco
  marcus maria mariana marie marina mario martin martina matthew maxime melissa miguel monica nathan natalie nathalie nicholas nicolas
  nicole oliver olivia oscar pamela patricia patrick paul paula pedro peter philip pierre rachel rafael raphael rebecca ricardo richard
  robert roberto rodrigo ronaldo cristiano messi neymar maradona pele beckham zidane samantha samuel sandra sarah sebastian sergio
  simon sofia sophie stefan stefano stephanie stephen steven susan tamara taylor teresa thomas tiffany tyler valentina valeria
  vanessa veronica victor victoria vincent virginia william xavier yolanda hans klaus jurgen wolfgang friedrich sabine petra ursula
  heinz helmut karl heidi anna hannes lukas felix fritz thorsten schmidt mueller müller schneider fischer wagner becker hoffmann
  berlin hamburg munich muenchen münchen koeln frankfurt stuttgart vienna wien zurich paris london newyork losangeles chicago boston
  dallas texas florida miami california hawaii alaska canada toronto mexico brasil brazil argentina chile colombia peru espana españa
  spain portugal lisboa lisbon italia italy germany deutschland france england scotland ireland wales russia moscow ukraine poland
  polska turkey istanbul india mumbai delhi pakistan china beijing shanghai hongkong taiwan taipei singapore malaysia thailand
  vietnam indonesia philippines manila japan tokyo korea seoul australia sydney melbourne africa nigeria egypt america american usa
  hello hallo hola bonjour salut ciao salve ola oi hellohello goodbye bye please thanks thankyou danke gracias merci grazie obrigado
  obrigada yes no maybe forever always never nothing everything something whatever whoever anything someone nobody lucky luckyone
  happy happiness smile smiley laugh crazy cool coolest awesome amazing beautiful pretty sexy hottie sweet cutie cute lovely nice
  perfect special super superstar ultimate extreme turbo speed fast furious rocket missile bullet gun guns weapon bomb nuclear atomic
  metal metallica slipknot nirvana acdc ledzeppelin beatles queen pinkfloyd ironmaiden megadeth eminem rihanna shakira madonna bieber
  music guitar piano drums drummer bass trumpet violin dancer dance dancing singer rockstar rock rocknroll punk jazz hiphop rap
  rapper disco techno party student teacher school college university engineer doctor lawyer nurse driver pilot artist writer
  family familia famille famiglia familie mother mommy mama mamma father daddy papa brother sister hermano hermana bruder schwester
  friend friends friendship bestfriend bestfriends forever21 children kids son daughter grandma grandpa boy girl boys girls man woman
  men women wife husband lovers couple together single dreams dreamer dream dreaming home house casa maison haus homework work worker
  business company office manager director president ceo boss123 support service services helpdesk help security secure safety private
  public personal account banker finance financial market markets marketing sales account1 customer client vip premium member
  winner winners winning loser losers champion champions number one two three four five six seven eight nine ten hundred thousand first
  last new old big small little best better good bad evil hard easy simple stupid idiot asshole fuck fucker fuckyou fuckme fuckoff
  motherfucker bitch bitches shit bullshit bastard dick cock pussy cunt whore slut porn sex sexsex boobs tits naked nude horny
  puta mierda cabron pendejo scheisse arschloch merde putain connard cazzo vaffanculo merda caralho porra foda`
    .split(/\s+/)
    .filter((entry) => entry !== ''),
)
