/** Titles and descriptions of the pages that others link to, by language. */
import type { LocaleCode } from '@candor/core/protocol/locales.ts'

export const landingPaths = ['/features', '/fees', '/about', '/contact'] as const
export type LandingPath = (typeof landingPaths)[number]

type Texts = { readonly open: string; readonly pages: { readonly [P in LandingPath]: { readonly title: string; readonly lead: string } } }

export const landingTexts: { readonly [L in LocaleCode]: Texts } = {
  en: {
    open: 'Open in the app',
    pages: {
      '/features': { title: 'Features', lead: 'What this exchange can do, and how you can check it.' },
      '/fees': {
        title: 'Fees',
        lead: 'All fees and rates as the exchange charges them at this moment. Each is also shown before you confirm an order.',
      },
      '/about': {
        title: 'Who runs this exchange',
        lead: 'Candor is an open-source exchange for digital assets. It can prove what it shows: every balance comes from a double-entry ledger, and every trade can be replayed and checked.',
      },
      '/contact': { title: 'Contact', lead: 'How to reach the people who run this exchange.' },
    },
  },
  hk: {
    open: '在應用程式中開啟',
    pages: {
      '/features': { title: '功能', lead: '本交易所能做甚麼，以及你如何查核。' },
      '/fees': { title: '費用', lead: '以下均為本交易所此刻實際收取的費用與利率，每次確認訂單前亦會列明。' },
      '/about': {
        title: '由誰營運',
        lead: 'Candor 是開放原始碼的數字資產交易所，所示內容均可驗證：每筆結餘皆為複式記帳結果，每宗成交均可重播核對。',
      },
      '/contact': { title: '聯絡我們', lead: '如何聯絡營運本交易所的人。' },
    },
  },
  'hk-hans': {
    open: '在应用中打开',
    pages: {
      '/features': { title: '功能', lead: '本交易所能做什么，以及你如何查核。' },
      '/fees': { title: '费用', lead: '以下均为本交易所此刻实际收取的费用与利率，每次确认订单前也会列明。' },
      '/about': {
        title: '由谁运营',
        lead: 'Candor 是开源的数字资产交易所，所示内容均可验证：每笔余额皆为复式记账结果，每宗成交均可重播核对。',
      },
      '/contact': { title: '联系我们', lead: '如何联系运营本交易所的人。' },
    },
  },
  ca: {
    open: 'Abrir en la app',
    pages: {
      '/features': { title: 'Funciones', lead: 'Qué puede hacer este exchange y cómo puedes comprobarlo.' },
      '/fees': {
        title: 'Comisiones',
        lead: 'Todas las comisiones y tasas tal como el exchange las cobra en este momento. También se muestran antes de confirmar cada orden.',
      },
      '/about': {
        title: 'Quién gestiona este exchange',
        lead: 'Candor es un exchange de activos digitales de código abierto. Puede demostrar lo que muestra: cada saldo es un saldo contable de partida doble y cada operación se puede reproducir y comprobar.',
      },
      '/contact': { title: 'Contacto', lead: 'Cómo llegar a quienes gestionan este exchange.' },
    },
  },
  de: {
    open: 'In der App öffnen',
    pages: {
      '/features': { title: 'Funktionen', lead: 'Was diese Börse kann, und wie Sie es prüfen können.' },
      '/fees': {
        title: 'Gebühren',
        lead: 'Alle Gebühren und Sätze, wie die Börse sie in diesem Moment berechnet. Sie stehen auch vor jeder Bestätigung einer Order.',
      },
      '/about': {
        title: 'Wer diese Börse betreibt',
        lead: 'Candor ist eine quelloffene Börse für digitale Werte. Sie kann beweisen, was sie zeigt: Jedes Guthaben ist doppelt verbucht, und jeder Trade lässt sich nachspielen und prüfen.',
      },
      '/contact': { title: 'Kontakt', lead: 'So erreichen Sie die Menschen, die diese Börse betreiben.' },
    },
  },
  fr: {
    open: 'Ouvrir dans l’app',
    pages: {
      '/features': { title: 'Fonctionnalités', lead: 'Ce que cette plateforme sait faire, et comment vous pouvez le vérifier.' },
      '/fees': {
        title: 'Frais',
        lead: 'Tous les frais et taux tels que la plateforme les applique en ce moment. Ils sont aussi affichés avant chaque confirmation d’ordre.',
      },
      '/about': {
        title: 'Qui exploite cette plateforme',
        lead: 'Candor est une plateforme d’échange d’actifs numériques à code ouvert. Elle peut prouver ce qu’elle affiche : chaque solde est tenu en partie double et chaque transaction peut être rejouée et vérifiée.',
      },
      '/contact': { title: 'Contact', lead: 'Comment joindre les personnes qui exploitent cette plateforme.' },
    },
  },
  it: {
    open: 'Apri nell’app',
    pages: {
      '/features': { title: 'Funzioni', lead: 'Che cosa sa fare questo exchange e come puoi verificarlo.' },
      '/fees': {
        title: 'Commissioni',
        lead: 'Tutte le commissioni e i tassi come l’exchange li applica in questo momento. Sono mostrati anche prima di confermare ogni ordine.',
      },
      '/about': {
        title: 'Chi gestisce questo exchange',
        lead: 'Candor è un exchange di asset digitali a codice aperto. Può dimostrare ciò che mostra: ogni saldo è tenuto in partita doppia e ogni scambio si può rieseguire e verificare.',
      },
      '/contact': { title: 'Contatti', lead: 'Come raggiungere chi gestisce questo exchange.' },
    },
  },
  pt: {
    open: 'Abrir no app',
    pages: {
      '/features': { title: 'Recursos', lead: 'O que esta corretora faz e como você pode conferir.' },
      '/fees': {
        title: 'Taxas',
        lead: 'Todas as taxas como a corretora as cobra neste momento. Elas também aparecem antes de confirmar cada ordem.',
      },
      '/about': {
        title: 'Quem opera esta corretora',
        lead: 'A Candor é uma corretora de ativos digitais de código aberto. Ela pode provar o que mostra: cada saldo é um saldo de partidas dobradas e cada negociação pode ser refeita e conferida.',
      },
      '/contact': { title: 'Contato', lead: 'Como falar com quem opera esta corretora.' },
    },
  },
}
