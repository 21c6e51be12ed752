import { ticketImagesMax, type WireSupportImage } from '@candor/core/protocol/wire/support/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { ImagePlus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { queries } from '../../app/client.ts'
import { useTranslation } from '../../app/translate.ts'
import { PictureUnreadable, pictureOfFile } from '../../parts/papers/picture.ts'
import { FormError } from '../../parts/ui/state.tsx'
import { pictureQuery, support } from './data.ts'

export type Uploads = {
  readonly images: readonly WireSupportImage[]
  readonly isBusy: boolean
  readonly error: unknown
  readonly add: (files: readonly File[]) => Promise<void>
  readonly remove: (id: string) => void
  readonly clear: () => void
}

/** Pictures for the next message: reduced here to 2,000 pixels without what the file says beside them, then uploaded one by one. */
export function useUploads(): Uploads {
  const [images, setImages] = useState<readonly WireSupportImage[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    ...{ images, isBusy, error },
    async add(files) {
      setIsBusy(true)
      setError(undefined)
      try {
        for (const file of files.slice(0, ticketImagesMax - images.length)) {
          const picture = await pictureOfFile(file)
          const stored = await support.addImage(picture.file)
          queries.setQueryData(pictureQuery(stored.id), picture.file)
          setImages((before) => [...before, stored])
        }
      } catch (fault) {
        setError(fault)
      } finally {
        setIsBusy(false)
      }
    },
    remove: (id) => setImages((before) => before.filter((one) => one.id !== id)),
    clear: () => setImages([]),
  }
}

/** The button that adds pictures. */
export function AddPictures({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const isFull = uploads.images.length >= ticketImagesMax
  return (
    <>
      <button
        type="button"
        aria-label={t('support.attach')}
        aria-busy={uploads.isBusy || undefined}
        disabled={isFull || uploads.isBusy}
        onClick={() => input.current?.click()}
        className={`press flex size-11 shrink-0 items-center justify-center rounded-control text-fg2 disabled:opacity-40 ${uploads.isBusy ? 'animate-pulse' : ''}`}
      >
        <ImagePlus size={22} strokeWidth={1.75} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('support.attach')}
        onChange={({ target }) => {
          void uploads.add([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

/** What was added so far, each with a way to take it out again. */
export function AddedPictures({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useTranslation()
  const { images, error } = uploads
  return (
    <>
      {images.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {images.map((image, at) => (
            <li key={image.id} className="relative">
              <Picture image={image} count={at + 1} className="size-16 object-cover" />
              <button
                type="button"
                aria-label={t('support.removePicture', { count: at + 1 })}
                onClick={() => uploads.remove(image.id)}
                className="absolute -end-2 -top-2 flex size-7 items-center justify-center rounded-full bg-s3 text-fg"
              >
                <X size={14} strokeWidth={2} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
      {error instanceof PictureUnreadable ? (
        <p role="alert" className="rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
          {t('support.unreadable')}
        </p>
      ) : (
        <FormError error={error} />
      )}
    </>
  )
}

/** A picture of the customer's own. It comes as a file, so that it is never a page of this origin. */
export function Picture({
  image: { id, width, height },
  count,
  className = '',
}: {
  readonly image: WireSupportImage
  readonly count: number
  readonly className?: string
}) {
  const { t } = useTranslation()
  const file = useQuery({
    queryKey: pictureQuery(id),
    queryFn: ({ signal }) => support.image(id, { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
  })
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (file.data === undefined) return
    const made = URL.createObjectURL(file.data)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file.data])
  if (url === undefined)
    return <span className={`block rounded-control bg-s3 ${className}`} style={{ aspectRatio: `${width} / ${height}` }} />
  return (
    <img src={url} width={width} height={height} alt={t('support.picture', { count })} className={`rounded-control bg-s3 ${className}`} />
  )
}
