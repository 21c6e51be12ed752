import { X } from 'lucide-react'
import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { tick } from '../../app/haptics.ts'
import { useTranslation } from '../../app/translate.ts'
import { type Frame, frameIn, type Size } from './frame.ts'
import { type Picture, pictureOf } from './picture.ts'

/** As many pixels as the camera has, up to these; the camera on the back, where there are two. */
const wanted: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: { ideal: 'environment' }, width: { ideal: 3840 }, height: { ideal: 2160 } },
}

type Props = {
  readonly title: string
  readonly ratio: number
  readonly onClose: () => void
  readonly onPicture: (picture: Picture) => void
  /** A photo of the phone's own camera app. */
  readonly onFile: (file: File) => void
}

/** The camera with a frame to hold the document in. Without leave to use it, the phone's own camera app is offered. */
export function CameraView({ title, ratio, onClose, onPicture, onFile }: Props) {
  const { t } = useTranslation()
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const { state, size } = useCamera(video)
  const [view, setView] = useState<HTMLDivElement | null>(null)
  const frame = useFrame(view, size, ratio)
  const [isTaking, setIsTaking] = useState(false)
  useEffect(() => {
    const element = dialog.current
    if (element !== null && !element.open) element.showModal()
  }, [])
  const take = async (): Promise<void> => {
    if (video.current === null || frame === undefined || isTaking) return
    setIsTaking(true)
    tick(12)
    try {
      onPicture(await pictureOf(video.current, frame.crop))
    } finally {
      setIsTaking(false)
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onClose={onClose}
      // A finger on the camera view does not pull the screen behind it.
      onTouchStart={(event) => event.stopPropagation()}
      className="m-0 h-full max-h-none w-full max-w-none overflow-hidden border-0 bg-black p-0 text-white"
    >
      <div className="mx-auto flex h-full max-w-[40rem] flex-col">
        <header className="flex min-h-13 shrink-0 items-center gap-1 ps-4 pe-1">
          <h2 id={heading} tabIndex={-1} className="min-w-0 flex-1 truncate text-17 font-semibold outline-none">
            {title}
          </h2>
          <button
            type="button"
            aria-label={t('common.close')}
            onClick={onClose}
            className="press flex size-11 shrink-0 items-center justify-center"
          >
            <X size={24} strokeWidth={1.75} aria-hidden />
          </button>
        </header>
        {state === 'refused' ? (
          <NoCamera onFile={onFile} />
        ) : (
          <>
            <div ref={setView} className="relative min-h-0 flex-1 overflow-hidden">
              <video
                ref={video}
                muted
                playsInline
                autoPlay
                aria-label={t('papers.cameraPicture')}
                className="absolute inset-0 size-full"
                style={{ objectFit: frame?.fit ?? 'cover' }}
              />
              {frame !== undefined && <Guide frame={frame} />}
            </div>
            <div className="flex shrink-0 flex-col items-center gap-3 px-4 pt-3 pb-[calc(20px+env(safe-area-inset-bottom))]">
              <p className="text-center text-13">{t('papers.tips')}</p>
              <button
                type="button"
                aria-label={t('papers.take')}
                aria-disabled={frame === undefined || isTaking || undefined}
                onClick={() => void take()}
                className="press flex size-17 items-center justify-center rounded-full border-4 border-white p-1 aria-disabled:opacity-40"
              >
                <span aria-hidden className="size-full rounded-full bg-white" />
              </button>
            </div>
          </>
        )}
      </div>
    </dialog>
  )
}

/** Darkens everything outside the frame. */
function Guide({ frame: { guide } }: { readonly frame: Frame }) {
  return (
    <div
      aria-hidden
      className="absolute rounded-card border-2 border-white"
      style={{ left: guide.x, top: guide.y, width: guide.width, height: guide.height, boxShadow: '0 0 0 100vmax rgb(0 0 0 / 0.55)' }}
    />
  )
}

function NoCamera({ onFile }: { readonly onFile: Props['onFile'] }) {
  const { t } = useTranslation()
  const camera = useRef<HTMLInputElement>(null)
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 px-8 text-center">
      <p role="alert" className="text-15">
        {t('papers.noCamera')}
      </p>
      <button
        type="button"
        onClick={() => camera.current?.click()}
        className="press min-h-12 rounded-control bg-white px-5 text-15 font-semibold text-black"
      >
        {t('papers.cameraApp')}
      </button>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        aria-label={t('papers.cameraApp')}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onFile(file)
        }}
      />
    </div>
  )
}

type Camera = { readonly state: 'asked' | 'on' | 'refused'; readonly size: Size | undefined }

/** Starts the camera, and stops it when the view is gone, so that its light goes out. */
function useCamera(video: RefObject<HTMLVideoElement | null>): Camera {
  const [camera, setCamera] = useState<Camera>({ state: 'asked', size: undefined })
  useEffect(() => {
    let isGone = false
    let stream: MediaStream | undefined
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop())
    const start = async (): Promise<void> => {
      try {
        // Pages without https have no camera at all.
        stream = await navigator.mediaDevices.getUserMedia(wanted)
        const element = video.current
        if (isGone || element === null) return stop()
        const measure = (): void => setCamera({ state: 'on', size: { width: element.videoWidth, height: element.videoHeight } })
        // Turning the phone turns the picture.
        element.onresize = measure
        element.srcObject = stream
        await element.play()
        measure()
      } catch {
        stop()
        if (!isGone) setCamera({ state: 'refused', size: undefined })
      }
    }
    void start()
    return () => {
      isGone = true
      stop()
    }
  }, [video])
  return camera
}

/** The frame for the view's size, which changes when the phone is turned. */
function useFrame(view: HTMLElement | null, video: Size | undefined, ratio: number): Frame | undefined {
  const [size, setSize] = useState<Size>()
  useLayoutEffect(() => {
    if (view === null) return
    const observer = new ResizeObserver(() => setSize({ width: view.clientWidth, height: view.clientHeight }))
    observer.observe(view)
    return () => observer.disconnect()
  }, [view])
  const isKnown = video !== undefined && size !== undefined && video.width > 0 && size.width > 0 && size.height > 0
  return isKnown ? frameIn(video, size, ratio) : undefined
}
