import type { LocaleCode } from '@candor/core/protocol/locales.ts'
import type { PresaleText } from '@candor/core/protocol/wire/console/presale.ts'

/** Texts of the practice presales of a sandbox: what both rounds say, and their titles. */
type Practice = Omit<PresaleText, 'title'> & { readonly titles: readonly [first: string, second: string] }

export const practiceTexts: { readonly [L in LocaleCode]: Practice } = {
  en: {
    titles: ['Practice token: first round', 'Practice token: second round'],
    overview: 'A presale to practise with. The token has no value and exists in this sandbox only.',
    details: 'Subscribe with practice USDT, follow the allocation at the end, and watch locked tokens become free day by day.',
    pool: 'The exchange sells tokens that it holds for this round. What is not sold stays with it.',
    useOfFunds: 'The practice USDT of the round are not used for anything.',
    risks: 'A real token can lose all of its value. You may get fewer tokens than you subscribed for, and locked tokens cannot be sold.',
  },
  hk: {
    titles: ['練習代幣：第一輪', '練習代幣：第二輪'],
    overview: '供練習用的預售。這個代幣沒有價值，只存在於這個沙盒之中。',
    details: '用練習 USDT 認購，在結束時查看分配結果，並看著鎖定的代幣逐日解鎖。',
    pool: '交易所出售為本輪預留的代幣，未售出的部分歸還交易所。',
    useOfFunds: '本輪募得的練習 USDT 不作任何用途。',
    risks: '真實的代幣可能失去全部價值。你獲分配的代幣可能少於認購的數量，而鎖定的代幣不能出售。',
  },
  'hk-hans': {
    titles: ['练习代币：第一轮', '练习代币：第二轮'],
    overview: '供练习用的预售。这个代币没有价值，只存在于这个沙盒之中。',
    details: '用练习 USDT 认购，在结束时查看分配结果，并看着锁定的代币逐日解锁。',
    pool: '交易所出售为本轮预留的代币，未售出的部分归还交易所。',
    useOfFunds: '本轮募得的练习 USDT 不作任何用途。',
    risks: '真实的代币可能失去全部价值。你获分配的代币可能少于认购的数量，而锁定的代币不能出售。',
  },
  ca: {
    titles: ['Token de práctica: primera ronda', 'Token de práctica: segunda ronda'],
    overview: 'Una preventa para practicar. El token no tiene valor y solo existe en este entorno de pruebas.',
    details: 'Suscriba con USDT de práctica, vea la asignación al final y cómo los tokens bloqueados se liberan día a día.',
    pool: 'La plataforma vende tokens que guarda para esta ronda. Lo que no se vende queda en su poder.',
    useOfFunds: 'Los USDT de práctica de la ronda no se destinan a nada.',
    risks:
      'Un token real puede perder todo su valor. Puede recibir menos tokens de los que suscribió, y los bloqueados no se pueden vender.',
  },
  de: {
    titles: ['Übungstoken: erste Runde', 'Übungstoken: zweite Runde'],
    overview: 'Ein Vorverkauf zum Üben. Der Token hat keinen Wert und existiert nur in dieser Sandbox.',
    details: 'Zeichnen Sie mit Übungs-USDT, sehen Sie am Ende die Zuteilung und wie gesperrte Token Tag für Tag frei werden.',
    pool: 'Die Börse verkauft Token, die sie für diese Runde hält. Was nicht verkauft wird, bleibt bei ihr.',
    useOfFunds: 'Die Übungs-USDT der Runde werden für nichts verwendet.',
    risks:
      'Ein echter Token kann seinen ganzen Wert verlieren. Sie erhalten unter Umständen weniger Token als gezeichnet, und gesperrte Token sind unverkäuflich.',
  },
  fr: {
    titles: ['Jeton d’entraînement : premier tour', 'Jeton d’entraînement : second tour'],
    overview: 'Une prévente pour s’entraîner. Le jeton n’a aucune valeur et n’existe que dans ce bac à sable.',
    details: 'Souscrivez avec des USDT d’entraînement, suivez l’attribution à la fin et le déblocage des jetons jour après jour.',
    pool: 'La plateforme vend des jetons qu’elle détient pour ce tour. Ceux qui ne sont pas vendus lui restent.',
    useOfFunds: 'Les USDT d’entraînement de ce tour ne servent à rien.',
    risks:
      'Un vrai jeton peut perdre toute sa valeur. Vous pouvez recevoir moins de jetons que souscrit, et ceux qui sont bloqués ne peuvent être vendus.',
  },
  it: {
    titles: ['Token di prova: primo turno', 'Token di prova: secondo turno'],
    overview: 'Una prevendita per fare pratica. Il token non ha valore ed esiste solo in questa sandbox.',
    details: 'Sottoscrivi con USDT di prova, segui l’assegnazione alla fine e lo sblocco dei token giorno per giorno.',
    pool: 'La piattaforma vende token che detiene per questo turno. Quelli invenduti restano a lei.',
    useOfFunds: 'Gli USDT di prova del turno non vengono usati per nulla.',
    risks:
      'Un token reale può perdere tutto il suo valore. Potresti ricevere meno token di quelli sottoscritti, e quelli bloccati non si possono vendere.',
  },
  pt: {
    titles: ['Token de treino: primeira rodada', 'Token de treino: segunda rodada'],
    overview: 'Uma pré-venda para treinar. O token não tem valor e só existe neste ambiente de testes.',
    details: 'Subscreva com USDT de treino, veja a alocação no fim e os tokens bloqueados a serem liberados dia após dia.',
    pool: 'A plataforma vende tokens que guarda para esta rodada. O que não for vendido fica com ela.',
    useOfFunds: 'Os USDT de treino da rodada não são usados para nada.',
    risks: 'Um token real pode perder todo o valor. Pode receber menos tokens do que subscreveu, e os bloqueados não podem ser vendidos.',
  },
}
