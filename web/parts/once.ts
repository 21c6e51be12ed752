import type { UseMutationResult } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'

/** Starts a mutation unless it is on its way: two taps in one frame, before the button is busy, are one. */
export function useOnce<Data>(mutation: UseMutationResult<Data, Error, void>): () => void {
  const isRunning = useRef(false)
  const { mutate } = mutation
  return useCallback(() => {
    if (isRunning.current) return
    isRunning.current = true
    mutate(undefined, {
      onSettled: () => {
        isRunning.current = false
      },
    })
  }, [mutate])
}
