/** What one port of a node shows: the full node its newest block, the solidity node only what is solid. */
import type { Block } from '../chain/block.ts'
import type { Found } from '../chain/chain.ts'
import type { Node } from '../chain/node.ts'
import type { State } from '../state/state.ts'

export class View {
  readonly node: Node
  readonly isSolid: boolean

  constructor(node: Node, isSolid: boolean) {
    this.node = node
    this.isSolid = isSolid
  }

  get top(): Block {
    return this.isSolid ? this.node.chain.solid : this.node.chain.head
  }

  get state(): State {
    return this.isSolid ? this.node.chain.solidState() : this.node.chain.state
  }

  block(number: number): Block | undefined {
    return number <= this.top.number ? this.node.chain.block(number) : undefined
  }

  blockById(id: string): Block | undefined {
    const block = this.node.chain.blockById(id)
    return block !== undefined && block.number <= this.top.number ? block : undefined
  }

  find(txid: string): Found | undefined {
    const found = this.node.chain.find(txid)
    return found !== undefined && found.block.number <= this.top.number ? found : undefined
  }

  /** Transactions of a block with their receipts. */
  all(block: Block): readonly Found[] {
    return block.transactions.map((transaction, place) => ({ block, place, transaction, receipt: block.receipts[place] }))
  }
}
