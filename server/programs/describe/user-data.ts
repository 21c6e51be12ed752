import { type Descriptions, empty, millis, named, object, text } from './describe.ts'

const group = 'userData'
const key = named('ListenKey', object({ listenKey: text }))
const kinds = [
  ['/api/v3/userDataStream', 'Spot', 'spot'],
  ['/sapi/v1/userDataStream', 'Cross', 'the cross account'],
  ['/sapi/v1/userDataStream/isolated', 'Isolated', 'an isolated account'],
] as const
const pair = 'Pair of the isolated account.'

/** Keys that open a user's stream for an hour at a time. */
export const userDataDescriptions: Descriptions = {
  ...Object.fromEntries(
    kinds.flatMap(([path, name, what]) => {
      const params = name === 'Isolated' ? { params: { symbol: pair } } : {}
      return [
        [
          `POST ${path}`,
          {
            group,
            name: `start${name}`,
            summary: `A key for the events of ${what}, valid for an hour.`,
            answer: key,
            isRepeatable: true,
            ...params,
          },
        ],
        [
          `PUT ${path}`,
          {
            group,
            name: `renew${name}`,
            summary: 'Extends a key by an hour.',
            answer: empty,
            codes: [-1125],
            isRepeatable: true,
            ...params,
          },
        ],
        [
          `DELETE ${path}`,
          {
            group,
            name: `end${name}`,
            summary: 'Ends a key and the streams that it opened.',
            answer: empty,
            codes: [-1125],
            isRepeatable: false,
            ...params,
          },
        ],
      ]
    }),
  ),
  'POST /sapi/v1/userListenToken': {
    group,
    name: 'listenToken',
    summary: 'A token for the events of a Margin account, for the WebSocket API.',
    answer: named('ListenToken', object({ token: text, expirationTime: millis })),
    params: { symbol: pair, validity: 'Milliseconds, a day at most.' },
    isRepeatable: true,
  },
  'POST /fapi/v1/listenKey': {
    group,
    name: 'startFutures',
    summary: 'A key for the events of Futures, valid for an hour.',
    answer: key,
    isRepeatable: true,
  },
  'PUT /fapi/v1/listenKey': {
    group,
    name: 'renewFutures',
    summary: 'Extends a key by an hour: the API key’s own, unless another is given.',
    answer: key,
    codes: [-1125],
    isRepeatable: true,
  },
  'DELETE /fapi/v1/listenKey': {
    group,
    name: 'endFutures',
    summary: 'Ends a key and the streams that it opened.',
    answer: empty,
    codes: [-1125],
    isRepeatable: false,
  },
}
