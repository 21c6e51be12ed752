/** The photos of the check: their upload, and the saved ones as the browser shows them. */
import { OfflineError } from '@candor/client/errors.ts'
import type { PhotoSide, WirePapers, WirePhoto } from '@candor/core/protocol/wire/papers.ts'
import { useMutation, type UseMutationResult, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { queries } from '../../app/client.ts'
import { fetchReporting } from '../../app/upload.ts'
import { keepPapers, papers } from '../../parts/account/papers.ts'
import { readIfLocked } from './use-save.ts'

const retries = 2

export type Upload = {
  readonly run: UseMutationResult<WirePapers, Error, Blob>
  /** From 0 to 1 of what is on its way. */
  readonly share: number
}

/** Sends a photo. A lost connection is tried again; a photo that was sent twice counts once, because it takes the place of itself. */
export function useUpload(side: PhotoSide, onSaved: (papers: WirePapers) => void): Upload {
  const [share, setShare] = useState(0)
  const run = useMutation({
    mutationFn: (file: Blob) => {
      setShare(0)
      return papers.putPhoto(side, file, { fetch: fetchReporting(setShare) })
    },
    retry: (failures, error) => error instanceof OfflineError && error.reason === 'unreachable' && failures < retries,
    retryDelay: (failures) => 1_000 * 2 ** failures,
    onSuccess(next, file) {
      const photo = next.photos.find((one) => one.side === side)
      if (photo !== undefined) queries.setQueryData(keyOf(photo), file)
      keepPapers(next)
      onSaved(next)
    },
    onError: readIfLocked,
  })
  const { isError, error, variables, mutate } = run
  useEffect(() => {
    if (!isError || !(error instanceof OfflineError) || variables === undefined) return
    const again = (): void => mutate(variables)
    addEventListener('online', again, { once: true })
    return () => removeEventListener('online', again)
  }, [isError, error, variables, mutate])
  return { run, share }
}

/** A saved photo. It stays in memory while it is shown, and for a minute after. */
export function useSavedPhoto(photo: WirePhoto | undefined): { readonly url: string | undefined; readonly isLost: boolean } {
  const saved = useQuery({
    queryKey: photo === undefined ? ['own', 'paper-photo'] : keyOf(photo),
    queryFn: ({ signal }) => papers.photo(photo?.side ?? 'front', { signal }),
    enabled: photo !== undefined,
    staleTime: Infinity,
    gcTime: 60_000,
  })
  return { url: useUrl(photo === undefined ? undefined : saved.data), isLost: saved.isError }
}

/** The address of a file in this page, as long as it is used. */
export function useUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [file])
  return url
}

/** Below `own`, so that logging out drops the photo. */
function keyOf({ side, id }: WirePhoto): readonly string[] {
  return ['own', 'paper-photo', side, id]
}
