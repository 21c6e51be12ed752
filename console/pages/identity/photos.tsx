/** The photos of a claimed check, on near-black in both themes. Each look is in the log, and the photos carry the viewer's name. */
import type { PhotoSide } from '@candor/core/protocol/wire/papers.ts'
import { useQuery } from '@tanstack/react-query'
import { Contrast, Eye, RotateCw, ZoomIn } from 'lucide-react'
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { photoQuery } from '../../app/queries.ts'
import { t } from '../../app/texts.ts'
import type { Review } from '../../app/wire.ts'
import { Failed } from '../../parts/ui.tsx'

type PhotosProps = { readonly review: Review; readonly isMine: boolean; readonly mayClaim: boolean }

export function Photos({ review, isMine, mayClaim }: PhotosProps): ReactNode {
  return (
    <section className="papers" aria-label={t.identity.fields.front}>
      {isMine ? (
        <>
          {review.photos.map(({ side, width, height }) => (
            <Photo key={side} {...{ id: review.id, side, width, height }} />
          ))}
          <p className="papers-note line">
            <Eye size={14} aria-hidden="true" />
            {t.identity.recorded}
          </p>
        </>
      ) : (
        <p className="papers-none">{noteOf(review, mayClaim)}</p>
      )}
    </section>
  )
}

/** Why there is no photo. */
function noteOf({ state, claimedBy }: Review, mayClaim: boolean): string {
  if (state !== 'waiting') return t.identity.decided
  if (!mayClaim) return t.identity.readOnly
  return claimedBy === null ? t.identity.unclaimed : t.identity.elsewhere
}

type PhotoProps = { readonly id: string; readonly side: PhotoSide; readonly width: number; readonly height: number }
const zooms = [1, 2, 4] as const

function Photo({ id, side, width, height }: PhotoProps): ReactNode {
  return <PhotoView read={photoQuery(id, side)} name={t.identity.sides[side]} {...{ width, height }} />
}

type PhotoViewProps = {
  readonly read: ReturnType<typeof photoQuery>
  readonly name: string
  /** Over the photo. Default: the name. */
  readonly label?: string
  readonly width: number
  readonly height: number
}

/** A photo that can be enlarged, turned and strengthened. */
export function PhotoView({ read, name, label = name, width, height }: PhotoViewProps): ReactNode {
  const { data, error, refetch } = useQuery(read)
  const [look, setLook] = useState({ zoom: 1, turn: 0, isStrong: false, x: 50, y: 50 })
  const source = useObjectUrl(data)
  const zoom = (): void => setLook({ ...look, zoom: zooms[(zooms.indexOf(look.zoom as 1) + 1) % zooms.length]! })
  /** The place under the pointer is what is enlarged. */
  const aim = (event: MouseEvent<HTMLElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = (value: number, from: number, size: number): number => Math.round(((value - from) / size) * 100)
    setLook({ ...look, x: at(event.clientX, box.left, box.width), y: at(event.clientY, box.top, box.height) })
  }
  const style: CSSProperties = {
    transform: `rotate(${look.turn * 90}deg) scale(${look.zoom})`,
    transformOrigin: `${look.x}% ${look.y}%`,
    filter: look.isStrong ? 'contrast(1.6) brightness(1.05)' : undefined,
  }
  return (
    <figure>
      <figcaption className="line">
        <b>{label}</b>
        <span className="papers-dim tn">
          {width} × {height}
        </span>
        <span className="line push">
          <Tool label={`${t.identity.zoom}: ${name}`} onUse={zoom} icon={<ZoomIn size={16} aria-hidden="true" />} />
          <Tool
            label={`${t.identity.turn}: ${name}`}
            onUse={() => setLook({ ...look, turn: (look.turn + 1) % 4 })}
            icon={<RotateCw size={16} aria-hidden="true" />}
          />
          <Tool
            label={`${t.identity.contrast}: ${name}`}
            onUse={() => setLook({ ...look, isStrong: !look.isStrong })}
            icon={<Contrast size={16} aria-hidden="true" />}
          />
        </span>
      </figcaption>
      <div className="photo" style={{ aspectRatio: `${width} / ${height}` }} onMouseMove={look.zoom === 1 ? undefined : aim}>
        {error && data === undefined ? (
          <Failed cause={error} onRetry={() => void refetch()} />
        ) : (
          source !== undefined && <img src={source} alt={t.identity.photo(name)} style={style} draggable={false} />
        )}
      </div>
    </figure>
  )
}

type ToolProps = { readonly label: string; readonly icon: ReactNode; readonly onUse: () => void }

function Tool({ label, icon, onUse }: ToolProps): ReactNode {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onUse}>
      {icon}
    </button>
  )
}

/** An address of this page for the photo, which ends with the view. */
function useObjectUrl(photo: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (photo === undefined) return setUrl(undefined)
    const own = URL.createObjectURL(photo)
    setUrl(own)
    return () => URL.revokeObjectURL(own)
  }, [photo])
  return url
}
