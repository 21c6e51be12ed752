/**
 * Whether a text asks for something that only its owner may know. A member who was bribed, or whose session was stolen, asks customers
 * for it; nobody else of the staff ever has a reason to. Words are looked for in all languages, whichever the customer's is.
 */
export function asksForSecret(text: string): boolean {
  return sentencesOf(plain(text)).some((sentence) => {
    const rest = harmless.reduce((left, words) => left.replace(words, ' '), sentence)
    return secrets.test(rest) && asking.test(rest)
  })
}

/** What nobody sees in a word: soft hyphens, joiners, variation selectors, empty letters. */
const unseen = /\p{Cf}|\p{Variation_Selector}|\u034f|[\u115f\u1160\u3164]/gu
/** Letters of other scripts, digits and signs that look like Latin letters. */
const alike: Readonly<Record<string, string>> = {
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p', ѕ: 's', т: 't', у: 'y', х: 'x', ԝ: 'w' },
  ...{ α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ı: 'i', ɡ: 'g', '@': 'a', '0': 'o', $: 's' },
}
const inWords = new RegExp(`(?<=\\p{L})[${Object.keys(alike).join('')}]|[${Object.keys(alike).join('')}](?=\\p{L})`, 'gu')

/** The text as it is read. */
function plain(text: string): string {
  const seen = text.normalize('NFKC').replace(unseen, '').toLowerCase()
  return seen.replace(inWords, (sign) => alike[sign] as string)
}

/** A question mark belongs to its sentence. What stands in brackets or after a colon, too. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?。！？])\s*|\n\s*\n/)
}

const secrets = new RegExp(
  [
    String.raw`pass\s?w(?:or)?d|pass\s?phrase|\bpins?\b|\botp\b|2fa|seed|mnemonic|private key|secret|(?:\b|[- ])codes?\b`,
    String.raw`passw(?:o|ö)rt|kennwort|geheimzahl|bestätigungscode|sicherheitscode|einmalcode|wiederherstellung|privater schlüssel`,
    String.raw`mot de passe|clé privée|phrase de récupération|contraseña|clave|código|palavra-passe|senha|chave privada`,
    String.raw`codice|parola d.ordine|chiave privata|密碼|密码|驗證碼|验证码|助記詞|助记词|私鑰|私钥|恢復碼|恢复码`,
  ].join('|'),
  'u',
)

const asking = new RegExp(
  [
    String.raw`\b(?:send|tell|give|share|enter|type|provide|confirm|read|forward|reply with|write|need|require|what is|what's|let me have)\b`,
    String.raw`\b(?:schick|send|sag|nenn|gib|geben|teil|tipp|lies|brauch|benötig|bestätig|schreib|wie lautet)\p{L}*`,
    String.raw`\b(?:envoy|donn|indiqu|communiqu|transmett|confirm|besoin|écriv|lis|quel est)\p{L}*`,
    String.raw`\b(?:enví|envi|dame|d[ií]|dig|compart|indi[cq]|confirm|necesit|escrib|cu[aá]l es)\p{L}*`,
    String.raw`\b(?:invi|mand|dicci|dammi|comunic|conferm|serve|scriv|qual è)\p{L}*`,
    String.raw`\b(?:envi|mand|diga|partilh|indiqu|confirm|precis|escrev|qual é)\p{L}*`,
    String.raw`發送|發給|发送|发给|告訴|告诉|提供|輸入|输入|需要|回覆|回复|給我|给我|是什麼|是什么|確認|确认`,
  ].join('|'),
  'u',
)

/** Codes that are no secrets, and warnings. */
const harmless: readonly RegExp[] = [
  /\b(?:support|invitation|error|referral|qr|order|ticket|country|zip|post)[- ]?codes?\b/gu,
  /support-?code|fehlercode|einladungscode|code d.(?:assistance|erreur|invitation)|código de (?:soporte|suporte|error|erro|invitación|convite)|codice di (?:assistenza|errore|invito)|支援代碼|支持代码|邀請碼|邀请码|客服代碼|客服代码/gu,
  // “Never tell anybody your code” warns, and so does the rest of its clause. “Don't worry, send me your code” does not.
  /\b(?:never|do not|don't|don’t|nobody|no one|won't|will not|not ask)\b[^,;:]*/gu,
  /\b(?:nie|niemals|niemandem|niemand|kein\p{L}*)\b[^,;:]*|\b(?:ne|n['’])\s?\p{L}+\s(?:jamais|pas)\b[^,;:]*|\bjamais\b[^,;:]*|\bnunca\b[^,;:]*|\bno\s(?:comparta|env[ií]e|diga|des)\b[^,;:]*|\bnão\s(?:partilhe|envie|diga)\b[^,;:]*|\b(?:non|mai)\s[^,;:]*/gu,
  /(?:不要|切勿|絕不|绝不|不會|不会|請勿|请勿|別|别)[^,;:]*/gu,
]
