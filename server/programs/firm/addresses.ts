/** Nothing is ever delivered below `.invalid` (RFC 2606). */
const domain = 'sub.invalid'

/** The made-up address by which programs name a sub-account. A UID never changes and is never used again. */
export const emailOf = (uid: string): string => `${uid}_virtual@${domain}`
