/** Version of the user agreement that a registration accepts: the texts `agreement.json` of all locales. Each changed text raises it. */
export const agreementVersion = '2'

/** SHA-256 of the texts of this version in all languages. A test compares it, so that no text changes under an accepted version. */
export const agreementHash = '43cd59f2ad58bc3e1c85dadea23a7d0afeed9445862c3d6b764ebe5919c6e2d3'
