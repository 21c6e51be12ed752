import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { beforePaint } from './build/before-paint.ts'
import { coins } from './build/coins.ts'
import { compress } from './build/compress.ts'
import { files } from './build/files.ts'
import { helpersInShell } from './build/helpers.ts'
import { icons } from './build/icons.ts'
import { locales } from './build/locales.ts'
import { serviceWorker } from './build/service-worker.ts'
import { askPage } from './build/ask.ts'
import { verifier } from './build/verifier.ts'

/** URL of the running exchange that `npm run dev` uses. */
const exchange = process.env.CANDOR_URL ?? 'http://127.0.0.1:3000'
const socket = { target: exchange.replace(/^http/, 'ws'), ws: true, changeOrigin: true, headers: { origin: exchange } }

/** Data of margin accounts: small, and screens without a desk need it too. */
const marginData = /\/client\/column\/margin|\/web\/parts\/margin\/(data|api|quote)\./
const startPart =
  /\/web\/(parts\/(funds\/(fees|faucet-button|faucet-all|faucet-all-button|faucet-sheet|total-balance|total|units|currency)|fields\/up-down-choice|account\/papers-row|market\/(market-row|movers|ranking|site-volume)|notices\/bell)\.)/
const accountPart = /\/web\/parts\/account\/(code-step|contact|countries)/
/** A new password and how strong it is. */
const passwordPart = /\/web\/parts\/account\/password/
/** Which second factors an account has, and the field for their codes: changes with a proof need no more of an account. */
const codePart = /\/web\/parts\/account\/(code-field|passkeys)\./
/** Second factors and proofs: loaded when they are asked for. */
const factorPart = /\/web\/parts\/account\/(factor-form|login-step|proof|sessions-sheet)|\/node_modules\/(@simplewebauthn|uqr)\//
/** What the security centre, the account page and the page of a frozen account share. */
const protectionPart = /\/web\/parts\/account\/(factors|frozen|safety|strength)\.|\/client\/column\/(factors|safety)/
/**
 * Code that the desks of spot, margin and perp share with the chart. The row of desks and the kinds of orders are in the
 * shell: screens without a book or a ticket need them too.
 */
const deskPart = /\/web\/parts\/(desk\/(?!desks\.|form\.)|frame\/|fields\/percent-slider)|\/core\/risk\/spot/
/** The desk of a spot market with its ticket: of the spot account, and of margin accounts. */
const ticketPart = /\/web\/parts\/spot\//
/** Code of perp, margin, lending, option, conversions, presales, referral, days, support and programs is loaded with their screens: no other first load carries it. */
const productPart =
  /\/(client\/column|core\/risk|web\/parts)\/(perp|margin|lend|option|convert|presale|firm|growth|daily|support|proof|keys|webhooks|algo(?!\/running)|shortcuts|tour|help\/(?!term\.)|transfer\/(?!lazy|funded))|\/web\/parts\/(account\/certify-sheet|market\/(alerts-api|search-field|columns|market-list|menu-sheet|settled-order|sort|star-row|use-hold))\.|\/core\/proof\//
/** Code of the first look of the perp desk; positions and their sheets are loaded after it. */
const perpDeskPart =
  /\/client\/column\/perp-desk|\/core\/risk\/perp|\/web\/parts\/perp\/(desk-api|account|marks|risk|use-risks|funding)\.|\/web\/screens\/perp\/(form|sizing)\./
const positionPart = /\/web\/parts\/perp\/(positions|position-card|order-list|total-profit|exits\/list)\./
/** Code that lists of perp orders need as well, without positions. */
const perpListPart = /\/client\/column\/perp\.|\/web\/parts\/perp\/(api|words)\./
/** The desk of option and the lists of its orders. */
const optionPart = /\/client\/column\/option|\/core\/risk\/option|\/web\/parts\/option\/(order|data|words)\./
/** Orders and trades: they are below the fold of a desk and are loaded after it. */
const listPart = /\/web\/parts\/(order\/(?!again|amend|anew|faults|fill|own|placed|rest|result)|ui\/(hold-button|swipe)\.)/
/** Long lists of any kind, and their exports. */
const endlessPart = /\/web\/parts\/lists\/(?!action-words|days)|@tanstack\/.*\/(useI|i)nfiniteQuery(Observer)?\.js/
/** The icon renderer and the icons of the frame and most desks: a first load needs no other file for them. */
const commonIcons =
  /\/lucide-react\/dist\/esm\/((?!icons\/)|icons\/(arrow-left-right|arrow-up-down|chart-candlestick|chart-line|check|chevron-down|chevron-left|chevron-right|circle-alert|circle-check|eye|eye-off|minus|pencil-line|plus|rotate-ccw-clock|search|sliders-horizontal|star|x)\.)/
/** Code that is rarely used, or is loaded after the desk. */
const laterPart =
  /\/client\/column\/limits\.|\/web\/(app\/upload|shell\/(arrivals|practice-sheet|layers|colours-question|colours-sheet|gates|gates-sheet|expired-sheet|head-watch|reality-check|update|watch)|parts\/notices\/(banner|moved|queue|viewed)|parts\/(algo\/kind-sheet|outcomes\/[\w-]+|limits\/[\w-]+|share\/[\w-]+|funds\/(faucet-button|cost-line|cost-rows|costs|profit|unit-sheet|unit-order)|order\/(again|amend|amend-row|anew|faults|fill|fill-note|fill-rows|placed|resting|result)|desk\/(mini-chart|caution-text)|spot\/(confirm-order|estimate|estimate-rows|sent-now|use-estimate|send|request)))\./
/** What wide windows load. */
const widePart = /\/web\/(shell\/(beside|pairs|top-bar|wide)|parts\/wide\/)/
/** Code that every screen needs, and the arithmetic of money and orders, which most screens use. */
const shellPart =
  /\/node_modules\/(react|react-dom|scheduler|zustand|use-sync-external-store|@tanstack\/(?!react-virtual|virtual-core))\/|\/client\/(?!column\/activity\.)|\/core\/(money\/|risk\/orders)|\/web\/(app|shell|parts)\/|virtual:(coins|locales$)|rolldown\/runtime|vite\/preload/
/** The panes of wide windows: phones never load them. */
const terminalPart = /\/web\/(parts\/terminal\/|app\/wide\/add-styles)/
/** The chart with its tools: only screens that show it load it. */
const chartPart = /\/web\/parts\/chart\//
/** Documents. */
const papersPart = /\/web\/parts\/papers\/(?!step-page|camera|frame|picture|sharpness|photo-)/
/** Photos of documents. */
const cameraPart = /\/web\/parts\/papers\/(camera|frame|picture|sharpness|photo-)/
/** Icons of wide windows, which phones never load. */
const wideIcons = /lucide-react\/dist\/esm\/icons\/(link-2|unlink|external-link|book-open|layout-grid|panel-left-(close|open))\./
/** The way to support, with its icon: screens that offer it have shared icons anyway. */
const askPart = /\/web\/parts\/ui\/ask-support\./
/** Icons that some screens share. A group takes what its files import along, so this one comes before the others: an icon leads to no part. */
const sharedIcons = (id: string): boolean => /lucide-react/.test(id) && !commonIcons.test(id) && !wideIcons.test(id)
/** Documents, a new password, and access without the second factors: of few screens. */
const accessPart = /\/web\/parts\/(papers|access)\/|\/client\/column\/regain\./
/** Withdrawal addresses, without the check of their text. */
const addressPart = /\/web\/parts\/addresses\/|\/client\/column\/addresses/
/** What is known of coins and their networks, which more screens need than those of deposits and withdrawals. */
const chainData = /\/web\/parts\/chains\/(data|words)\.|\/client\/column\/chains/
/** Deposits and withdrawals. */
const chainPart = /\/web\/parts\/chains\/|\/client\/column\/chains|\/core\/proof\/deposit-address/
/** Lists of deposits, and the proof of their addresses: withdrawals need neither. */
const depositPart = /\/web\/parts\/chains\/(deposits|verified)\.|\/core\/proof\/deposit-address/
/** Parts of a few screens. */
const rarePart =
  /\/web\/parts\/(fields\/(copy-field|plain-select)|ui\/(qr|arrange|countdown-ring|locked)|lists\/(action-words|days)|account\/(login-form|papers|strength-card))\./
/** Agreement and country: declared at registration, or later above any screen. */
const gatePart = /\/web\/parts\/(account\/agreement-sheet|fields\/(country|residence)-field)\.|\/core\/protocol\/countries\./
/** What this device remembers of the journal, and how it checks it: some seconds after the start, and on the screen of proofs. */
const headsPart =
  /\/web\/parts\/proof\/(?!signed|explain)|\/core\/proof\/(head|head-keys|merkle|remembered|evidence)\.|\/client\/column\/proof\/(?!explain)/
/** Signatures and hashes, which deposits and addresses need too, without the heads. */
const signedPart = /\/web\/parts\/proof\/signed\.|\/core\/proof\/(deposit-address|sha256)\./
/** Small parts that are in one file: each file of a screen has its name in the shell. */
const salesPart = /\/web\/parts\/presale\//
const smallPart = /\/web\/parts\/(fields\/copy-field|ui\/(countdown-ring|locked))\./
const wordPart = /\/web\/parts\/lists\/(action-words|days)\./
const lossPart = /\/web\/parts\/limits\/(limits|loss-line)\./
/** Parts that have a chunk of their own, or none. */
const apart = [
  widePart,
  askPart,
  laterPart,
  terminalPart,
  chartPart,
  accessPart,
  addressPart,
  chainPart,
  rarePart,
  gatePart,
  productPart,
  listPart,
  endlessPart,
  deskPart,
  ticketPart,
  accountPart,
  codePart,
  passwordPart,
  factorPart,
  protectionPart,
  startPart,
]

export default defineConfig({
  plugins: [
    react(),
    tailwind(),
    coins(),
    locales(),
    icons(),
    files(),
    helpersInShell(),
    beforePaint(),
    verifier(),
    askPage(),
    serviceWorker(),
    compress(),
  ],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    // The shell and its icons are loaded before everything else, so they need no preload.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => !/\/(shell|icons|rolldown-runtime)-/.test(file)),
    },
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // A first load is four files: shell, language, screen, and the parts that its kind of screen shares.
        codeSplitting: {
          groups: [
            {
              name: 'shell',
              test: (id: string) =>
                commonIcons.test(id) || marginData.test(id) || (shellPart.test(id) && !apart.some((part) => part.test(id))),
              priority: 6,
            },
            { name: 'icons', test: (id: string) => sharedIcons(id) || askPart.test(id), minShareCount: 2, priority: 5 },
            { name: 'wide', test: /\/web\/parts\/wide\/.*\.tsx?$/, priority: 4 },
            { name: 'start', test: startPart, priority: 2 },
            { name: 'gates', test: gatePart, priority: 2 },
            { name: 'passwords', test: passwordPart, priority: 3 },
            { name: 'codes', test: codePart, priority: 3 },
            { name: 'account', test: accountPart, priority: 2 },
            { name: 'protection', test: protectionPart, priority: 2 },
            { name: 'trade', test: (id: string) => deskPart.test(id) && !laterPart.test(id), priority: 3 },
            { name: 'ticket', test: (id: string) => ticketPart.test(id) && !laterPart.test(id), priority: 3 },
            { name: 'camera', test: cameraPart, priority: 4 },
            { name: 'papers', test: papersPart, priority: 3 },
            { name: 'access', test: /\/web\/parts\/access\/|\/client\/column\/regain\./, priority: 2 },
            { name: 'addresses', test: addressPart, priority: 3 },
            { name: 'chain-data', test: chainData, priority: 4 },
            { name: 'deposits', test: depositPart, priority: 1 },
            {
              name: 'chains',
              test: (id: string) => chainPart.test(id) && !depositPart.test(id) && !/\/withdrawals\./.test(id),
              priority: 2,
            },
            { name: 'endless', test: endlessPart, priority: 3 },
            { name: 'list', test: listPart, priority: 2 },
            { name: 'perp-desk', test: perpDeskPart, priority: 2 },
            { name: 'perp-lists', test: perpListPart, priority: 2 },
            { name: 'positions', test: positionPart, priority: 2 },
            { name: 'heads', test: headsPart, priority: 3 },
            { name: 'signed', test: signedPart, priority: 4 },
            { name: 'sales', test: salesPart, priority: 2 },
            { name: 'small', test: smallPart, priority: 2 },
            { name: 'losses', test: lossPart, priority: 2 },
            { name: 'words', test: wordPart, priority: 2 },
            { name: 'options', test: optionPart, priority: 2 },
          ],
        },
        // A screen's chunk is named after its folder, a language's after its code. Many first loads name over a hundred chunks, so their
        // hashes are as short as the bundler allows.
        chunkFileNames: ({ name, facadeModuleId }) => {
          const own = /\/screens\/([\w-]+)\/screen\.tsx$|virtual:locale\/([\w-]+)$/.exec(facadeModuleId ?? '')
          return `assets/${own?.[1] ?? own?.[2] ?? name}-[hash:7].js`
        },
      },
    },
  },
  server: {
    proxy: {
      '/app/v1/stream': socket,
      '/app/v1': { target: exchange, changeOrigin: true, headers: { origin: exchange } },
      '/wss': socket,
      '/ws': socket,
    },
  },
})
