/** Messages as the HTTP interface writes them: bytes as hex, with `visible` addresses in base58, and default values left out. */
import protobuf from 'protobufjs'
import { addressOf, fromHex, nothing, toBase58, toHex } from './bytes.ts'
import { contractNumber, typeOf } from './definitions.ts'

export type Json = { readonly [name: string]: unknown }

const urlStart = 'type.googleapis.com/protocol.'

/** throws  Error when the bytes are no such message */
export function decode(type: protobuf.Type, bytes: Uint8Array): Json {
  return type.toObject(type.decode(bytes), { longs: Number, enums: String })
}

export function encode(type: protobuf.Type, fields: Json): Uint8Array {
  return new Uint8Array(type.encode(type.fromObject(fields)).finish())
}

/** throws  Error when a value does not fit its field */
export function encodeJson(type: protobuf.Type, json: unknown, isVisible: boolean): Uint8Array {
  return encode(type, fieldsOf(type, json, isVisible))
}

export function decodeJson(type: protobuf.Type, bytes: Uint8Array, isVisible: boolean): Json {
  return printed(type, decode(type, bytes), isVisible)
}

function fieldsOf(type: protobuf.Type, json: unknown, isVisible: boolean): Json {
  if (typeof json !== 'object' || json === null) throw new Error(`${type.name} is not an object`)
  const fields: Record<string, unknown> = {}
  if (type.name === 'Contract') return contractOf(json as Json, isVisible)
  for (const [name, value] of Object.entries(json)) {
    const field = type.fields[name]
    if (field === undefined || value === undefined || value === null) continue
    const read = (one: unknown): unknown => valueOf(field, one, isVisible)
    if (field.repeated) fields[name] = (Array.isArray(value) ? value : [value]).map(read)
    else if (!isDefault(field, value)) fields[name] = read(value)
  }
  return fields
}

/** A contract of a transaction: its parameter is a message of the type that the contract names. */
function contractOf(json: Json, isVisible: boolean): Json {
  const name = String(json.type)
  if (contractNumber(name) === undefined) throw new Error(`contract type ${name} is not supported`)
  const { value } = json.parameter as Json
  const fields: Record<string, unknown> = {
    type: name,
    parameter: { type_url: `${urlStart}${name}`, value: encodeJson(typeOf(name), value, isVisible) },
  }
  if (Number(json.Permission_id ?? 0) !== 0) fields.Permission_id = Number(json.Permission_id)
  return fields
}

/** The wire has no default values. */
function isDefault(field: protobuf.Field, value: unknown): boolean {
  const first = field.resolvedType instanceof protobuf.Enum ? field.resolvedType.valuesById[0] : undefined
  return value === 0 || value === '0' || value === '' || value === false || (first !== undefined && value === first)
}

function valueOf(field: protobuf.Field, value: unknown, isVisible: boolean): unknown {
  if (field.resolvedType instanceof protobuf.Type) return fieldsOf(field.resolvedType, value, isVisible)
  if (field.resolvedType instanceof protobuf.Enum) return enumOf(field.resolvedType, value)
  if (field.type !== 'bytes') return value
  if (typeof value !== 'string') throw new Error(`${field.name} is not a text`)
  const address = isAddressField(field) ? addressOf(value) : undefined
  if (isAddressField(field) && isVisible && address === undefined) throw new Error(`${field.name} is not an address`)
  return fromHex(address ?? value)
}

function enumOf(type: protobuf.Enum, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const found = Object.keys(type.values).find((name) => name.toLowerCase() === value.toLowerCase())
  if (found === undefined) throw new Error(`${value} is no ${type.name}`)
  return found
}

function printed(type: protobuf.Type, fields: Json, isVisible: boolean): Json {
  if (type.name === 'Contract') return printedContract(fields, isVisible)
  const json: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    const field = type.fields[name]
    if (field === undefined) continue
    const print = (one: unknown): unknown => printedValue(field, one, isVisible)
    if (Array.isArray(value)) json[name] = value.map(print)
    else if (!isDefault(field, value)) json[name] = print(value)
  }
  return json
}

function printedContract(fields: Json, isVisible: boolean): Json {
  const { value } = fields.parameter as { readonly value?: Uint8Array }
  const name = String(fields.type ?? 'AccountCreateContract')
  return {
    parameter: { value: decodeJson(typeOf(name), value ?? nothing, isVisible), type_url: `${urlStart}${name}` },
    type: name,
    ...(fields.Permission_id === undefined ? {} : { Permission_id: fields.Permission_id }),
  }
}

function printedValue(field: protobuf.Field, value: unknown, isVisible: boolean): unknown {
  if (field.resolvedType instanceof protobuf.Type) return printed(field.resolvedType, value as Json, isVisible)
  if (!(value instanceof Uint8Array)) return value
  const text = toHex(value)
  return isVisible && isAddressField(field) && value.length === 21 ? toBase58(text) : text
}

function isAddressField(field: protobuf.Field): boolean {
  return field.name === 'address' || field.name.endsWith('_address')
}
