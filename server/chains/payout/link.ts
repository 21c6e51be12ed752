import { SignerLink } from '../signer/connect.ts'
import { SignerRefused } from '../signer/reasons.ts'
import { PayoutWaits } from './chain.ts'

const answerMs = 30_000

/** A link to the signer that is opened when it is needed, and again after it broke. */
export class LastingLink implements Disposable {
  readonly #path: string
  readonly #answerMs: number
  #link: Promise<SignerLink> | undefined

  constructor(path: string, times: { readonly answerMs?: number } = {}) {
    this.#path = path
    this.#answerMs = times.answerMs ?? answerMs
  }

  signAll(requests: Parameters<SignerLink['signAll']>[0]): ReturnType<SignerLink['signAll']> {
    return this.through((link) => link.signAll(requests))
  }

  end(request: Parameters<SignerLink['end']>[0]): Promise<void> {
    return this.through((link) => link.end(request))
  }

  addKey(request: Parameters<SignerLink['addKey']>[0]): Promise<void> {
    return this.through((link) => link.addKey(request))
  }

  removeKey(request: Parameters<SignerLink['removeKey']>[0]): Promise<void> {
    return this.through((link) => link.removeKey(request))
  }

  /** throws  SignerRefused for the signer's no, PayoutWaits SIGNER_AWAY when it does not answer: then it may have signed */
  async through<Result>(ask: (link: SignerLink) => Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The signer did not answer in time')), this.#answerMs)
    })
    try {
      const link = await (this.#link ??= SignerLink.open(this.#path))
      return await Promise.race([ask(link), late])
    } catch (cause) {
      if (cause instanceof SignerRefused) throw cause
      this[Symbol.dispose]()
      throw new PayoutWaits('SIGNER_AWAY', { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  [Symbol.dispose](): void {
    const link = this.#link
    this.#link = undefined
    void link?.then(
      (open) => open[Symbol.dispose](),
      () => undefined,
    )
  }
}
