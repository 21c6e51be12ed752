/** The styles in the order in which later ones win. */
import './tokens.css'
import './parts.css'
import './overlays.css'
import './shell.css'
import './identity.css'
import './terms.css'
import './recoveries.css'
import './watch.css'
