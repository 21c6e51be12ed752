import { type FunctionComponent, useEffect, useState } from 'react'

const firstMs = 8_000

/** The watch over the journal, some seconds after the start. Without a connection its file can't be loaded: the next start tries again. */
export function HeadWatch() {
  const [Watch, setWatch] = useState<FunctionComponent>()
  useEffect(() => {
    const load = async (): Promise<void> => {
      const { HeadWatch: Loaded } = await import('../parts/proof/head-watch.tsx')
      setWatch(() => Loaded)
    }
    const timer = setTimeout(() => void load().catch(() => undefined), firstMs)
    return () => clearTimeout(timer)
  }, [])
  return Watch && <Watch />
}
