import type { Operation } from './operation.ts'

/** Samples of a request in each language; `values` are the parameters without time and signature. */
export function samplesOf(
  operation: Operation,
  values: Readonly<Record<string, string>>,
  origin: string,
): Readonly<Record<string, string>> {
  return operation.isPrograms
    ? { curl: programCurl(operation, values, origin), TypeScript: sdk(operation, values, origin), ccxt: ccxt(operation, values, origin) }
    : { curl: appCurl(operation, values, origin), TypeScript: appFetch(operation, values) }
}

function programCurl({ method, path, security }: Operation, values: Readonly<Record<string, string>>, origin: string): string {
  const query = new URLSearchParams(values).toString()
  const verb = method === 'GET' ? '' : ` -X ${method}`
  if (security === 'open') return `curl${verb} '${origin}${path}${query === '' ? '' : `?${query}`}'`
  if (security === 'key') return `curl${verb} -H "X-MBX-APIKEY: $KEY" '${origin}${path}${query === '' ? '' : `?${query}`}'`
  return [
    `query="${query === '' ? '' : `${query}&`}timestamp=$(date +%s%3N)"`,
    `signature=$(printf '%s' "$query" | openssl dgst -sha256 -hmac "$SECRET" -hex | sed 's/.* //')`,
    `curl${verb} -H "X-MBX-APIKEY: $KEY" "${origin}${path}?$query&signature=$signature"`,
  ].join('\n')
}

function sdk({ group, name, security, parameters }: Operation, values: Readonly<Record<string, string>>, origin: string): string {
  const given = Object.entries(values).map(([key, value]) => {
    const schema = parameters.find((one) => one.name === key)?.schema
    const isFlag = schema?.enum?.every((word) => /^(true|false)$/i.test(String(word)))
    const isPlain = isFlag === true || schema?.type === 'integer' || schema?.contentSchema !== undefined
    return `${key}: ${isPlain ? value.replace(/^(true|false)$/i, (word) => word.toLowerCase()) : JSON.stringify(value)}`
  })
  const key = security === 'open' ? '' : ', key, secret'
  return [
    "import { makeProgram } from '@candor/client'",
    '',
    `const program = makeProgram({ url: '${origin}'${key} })`,
    `const answer = await program.${group}.${name}(${given.length === 0 ? '' : `{ ${given.join(', ')} }`})`,
  ].join('\n')
}

/** The ccxt root of a path, and the rest of the path. */
function ccxtPlace(path: string, security: Operation['security']): readonly [api: string, rest: string] {
  const [, root = '', version = '', ...rest] = path.split('/')
  const number = version.slice(1)
  if (root === 'api') return [security === 'open' ? 'public' : 'private', rest.join('/')]
  if (root === 'sapi') return [number === '1' ? 'sapi' : `sapiV${number}`, rest.join('/')]
  const side = security === 'open' ? 'Public' : 'Private'
  return [`${root}${side}${number === '1' ? '' : `V${number}`}`, rest.join('/')]
}

function ccxt({ method, path, security, ccxt: unified }: Operation, values: Readonly<Record<string, string>>, origin: string): string {
  const [api, rest] = ccxtPlace(path, security)
  const given = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const made = [
    "import ccxt from 'ccxt'",
    '',
    `const exchange = new ccxt.binance({${security === 'open' ? '' : ' apiKey: key, secret '}})`,
    '// exchange.urls.api: see "Connect existing clients" in docs/api.md',
    `for (const [name, url] of Object.entries(exchange.urls.api)) {`,
    `  if (typeof url === 'string') exchange.urls.api[name] = url.replace(/^https:\\/\\/[^/]+/, '${origin}')`,
    '}',
  ]
  const direct = `await exchange.request('${rest}', '${api}', '${method}', {${given.length === 0 ? '' : ` ${given.join(', ')} `}})`
  return [...made, ...(unified === undefined ? [] : [`await exchange.${unified}`, '// or, by the path:']), direct].join('\n')
}

function appCurl({ method, path, parameters, body }: Operation, values: Readonly<Record<string, string>>, origin: string): string {
  const { url, json } = appRequest(path, parameters, body !== undefined, values)
  const verb = method === 'GET' ? '' : ` -X ${method}`
  const data = json === undefined ? '' : ` -H 'content-type: application/json' -d '${json.replaceAll("'", "'\\''")}'`
  return `curl${verb} -b cookies.txt -c cookies.txt${data} '${origin}${url}'`
}

function appFetch({ method, path, parameters, body }: Operation, values: Readonly<Record<string, string>>): string {
  const { url, json } = appRequest(path, parameters, body !== undefined, values)
  if (method === 'GET') return `const answer = await (await fetch('${url}')).json()`
  const parts = [`method: '${method}'`]
  if (json !== undefined) parts.push("headers: { 'content-type': 'application/json' }", `body: JSON.stringify(${json})`)
  return `const response = await fetch('${url}', {\n  ${parts.join(',\n  ')},\n})`
}

/** The URL with its parameters filled in, and the body: the value of `body`. */
export function appRequest(
  path: string,
  parameters: Operation['parameters'],
  hasBody: boolean,
  values: Readonly<Record<string, string>>,
): { readonly url: string; readonly json: string | undefined } {
  let url = path
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = values[name]
    if (value === undefined) continue
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value))
    else query.append(name, value)
  }
  const text = query.toString()
  return { url: text === '' ? url : `${url}?${text}`, json: hasBody ? (values['body'] ?? '{}') : undefined }
}
