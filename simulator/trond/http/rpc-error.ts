/** An error as JSON-RPC numbers it: -32602 invalid parameters, -32005 a limit, -32601 an unknown method, -32000 the rest. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}
