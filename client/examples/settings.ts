/** URL and key of the exchange, from the environment: CANDOR_URL, CANDOR_KEY, CANDOR_SECRET or CANDOR_PRIVATE_KEY. */
export const url = process.env.CANDOR_URL ?? 'http://127.0.0.1:3000'
const { CANDOR_KEY: key, CANDOR_SECRET: secret, CANDOR_PRIVATE_KEY: privateKey } = process.env

export const credentials = {
  ...(key === undefined ? {} : { key }),
  ...(secret === undefined ? {} : { secret }),
  ...(privateKey === undefined ? {} : { privateKey }),
}
