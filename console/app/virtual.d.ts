declare module 'virtual:fault-texts' {
  /** Sentences by field (`photo` for both sides) and reason, and one for any other fault. */
  type FaultTexts = { readonly other: string } & { readonly [field: string]: Readonly<Record<string, string>> | string }
  export const faultTexts: Readonly<Record<string, () => Promise<{ readonly default: FaultTexts }>>>
}
