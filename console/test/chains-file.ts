/** A file of networks as tests of pages need it: nothing listens at its addresses. */
export function chainsFile(): string {
  const tron = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const evm = '0x52908400098527886E0F7030069857D2E4169EE7'
  return JSON.stringify({
    ...{ walletKey: '00'.repeat(32), signer: '/nowhere' },
    networks: [
      {
        ...{ name: 'tron', number: 2, kind: 'tron', label: 'TRC20', chainId: 728_126_428, confirmations: 0 },
        nodes: [{ url: 'http://127.0.0.1:1', solidUrl: 'http://127.0.0.1:1' }],
        explorer: 'https://tronscan.example/#/transaction/{txid}',
        tokens: [{ asset: 'USDT', contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', decimals: 6, depositMin: '1' }],
        ...{
          hot: tron,
          gas: tron,
          sink: tron,
          deposits: {
            xpub: 'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd',
          },
          feeMax: '50000000',
        },
      },
      {
        ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId: 1, confirmations: 12 },
        nodes: [{ url: 'http://127.0.0.1:1' }],
        tokens: [
          { asset: 'USDT', contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6, depositMin: '1' },
          { asset: 'ETH', decimals: 18, depositMin: '0.001' },
        ],
        ...{ hot: evm, gas: evm, sink: evm, deposits: { factory: evm }, feeMax: '20000000000000000' },
      },
    ],
  })
}
