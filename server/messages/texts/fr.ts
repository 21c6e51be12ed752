import type { Texts } from '../text.ts'

export const fr: Texts = {
  locale: 'fr-FR',
  footer: 'Candor ne vous demande jamais de code ni de mot de passe, ni par e-mail, ni par téléphone, ni par messagerie.',
  phrase: 'Votre phrase : {phrase}',
  closesWithdrawals: 'Pour vous protéger, aucun retrait ne quitte votre compte pendant 24 heures.',
  freeze: {
    mail: 'Ce n’était pas vous ? Ce lien, valable 72 heures, gèle aussitôt votre compte. Rien ne se passe avant votre confirmation sur la page :\n{link}',
    sms: 'Geler le compte : {link}',
  },
  withdrawalReasons: {
    'not-asked': 'Il semble que quelqu’un d’autre l’ait demandé.',
    address: 'Cette adresse n’est pas sûre pour un envoi.',
    identity: 'Nous avons des questions sur votre identité.',
    deposit: 'Un dépôt à son origine est en cours d’examen.',
    unclear: 'Son but n’est pas clair pour nous.',
    'on-wish': 'Vous nous avez demandé de l’arrêter.',
  },
  inbox: {
    title: 'Boîte de réception du mode démo',
    note: 'Les e-mails et les SMS du mode démo arrivent ici et nulle part ailleurs. Les plus récents d’abord.',
    filter: 'Adresse e-mail ou numéro de téléphone',
    show: 'Afficher',
    refresh: 'Actualiser',
    empty: 'Rien n’est encore arrivé. Demandez un code dans l’application, puis actualisez.',
    recipient: 'À {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} est votre code Candor',
      body: [
        'Bienvenue. Saisissez ce code pour terminer votre inscription :',
        '{code}',
        'Il est valable {minutes} minutes. Si vous ne l’avez pas demandé, ignorez ce message : sans le code, rien ne se passe.',
      ],
      sms: '{code} est votre code Candor pour vous inscrire. Valable {minutes} minutes. Ne le donnez à personne.',
    },
    'reset-code': {
      subject: '{code} est votre code pour réinitialiser le mot de passe',
      body: [
        'Saisissez ce code pour choisir un nouveau mot de passe :',
        '{code}',
        'Il est valable {minutes} minutes. Si vous ne l’avez pas demandé, quelqu’un a saisi votre adresse : votre mot de passe reste inchangé.',
        'Ou ouvrez ce lien : pendant 15 minutes, il permet de choisir un nouveau mot de passe sans le code.',
        '{link}',
      ],
      sms: '{code} est votre code Candor pour réinitialiser le mot de passe. Valable {minutes} minutes. Ne le donnez à personne.',
    },
    'reset-link': {
      subject: 'Votre lien pour réinitialiser le mot de passe',
      body: [
        'Ouvrez ce lien dans les {minutes} minutes pour définir un nouveau mot de passe :',
        '{link}',
        'Les codes ne sont pas acceptés en ce moment, car trop de codes ont été demandés ou essayés.',
        'Si vous ne l’avez pas demandé, quelqu’un a saisi votre adresse : votre mot de passe reste le même. Ne donnez ce lien à personne.',
      ],
      sms: 'Candor : réinitialisez votre mot de passe avec {link}, valable {minutes} minutes. À ne donner à personne.',
    },
    'new-device': {
      subject: 'Nouvelle connexion à votre compte',
      body: [
        'Quelqu’un s’est connecté à votre compte depuis un appareil que nous ne connaissions pas.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si c’était vous, il n’y a rien à faire. Sinon, réinitialisez votre mot de passe maintenant : cela ferme toutes les sessions.',
      ],
      sms: 'Candor : nouvelle connexion, {device}, {ip}, {time}. Ce n’était pas vous ? Réinitialisez votre mot de passe.',
    },
    'password-changed': {
      subject: 'Votre mot de passe a été modifié',
      body: [
        'Le mot de passe de votre compte a été modifié et les autres sessions ont été fermées.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : votre mot de passe a été modifié, {time}. Ce n’était pas vous ? Réinitialisez-le et écrivez à l’assistance.',
    },
    'key-widened': {
      subject: 'Une clé API peut agir pour votre compte',
      body: [
        'Une clé API a été créée pour votre compte, ou a reçu plus d’autorisations.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, supprimez la clé dans l’application et changez votre mot de passe maintenant.',
      ],
      sms: 'Candor : une clé API peut agir pour vous, {time}. Pas vous ? Supprimez-la et changez votre mot de passe.',
    },
    'proof-code': {
      subject: '{code} est votre code de confirmation',
      body: [
        'Saisissez ce code pour confirmer que c’est bien vous :',
        '{code}',
        'Il est valable {minutes} minutes. Si vous ne l’avez pas demandé, quelqu’un est connecté à votre compte : réinitialisez votre mot de passe maintenant.',
      ],
      sms: '{code} est votre code de confirmation Candor. Valable {minutes} minutes. Ne le donnez à personne.',
    },
    'factor-added': {
      subject: 'Un second facteur a été ajouté',
      body: [
        'Une clé d’accès ou une application d’authentification a été ajoutée à votre compte.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : second facteur ajouté, {time}. Pas vous ? Réinitialisez votre mot de passe et écrivez à l’assistance.',
    },
    'factor-removed': {
      subject: 'Un second facteur a été supprimé',
      body: [
        'Une clé d’accès ou l’application d’authentification a été supprimée de votre compte.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : second facteur supprimé, {time}. Pas vous ? Réinitialisez votre mot de passe et écrivez à l’assistance.',
    },
    'factor-failed': {
      subject: 'Une connexion s’est arrêtée au second facteur',
      body: [
        'Quelqu’un a saisi votre mot de passe, puis un code erroné.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, quelqu’un connaît votre mot de passe : changez-le maintenant.',
      ],
      sms: 'Candor : bon mot de passe, second facteur erroné, {time}. Pas vous ? Changez votre mot de passe.',
    },
    'recovery-renewed': {
      subject: 'Vos codes de secours ont été renouvelés',
      body: [
        'Les codes de secours de votre compte ont été remplacés. Les anciens ne fonctionnent plus.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : codes de secours renouvelés, {time}. Pas vous ? Réinitialisez votre mot de passe et écrivez à l’assistance.',
    },
    'address-code': {
      subject: '{code} est votre code pour ajouter cette adresse',
      body: [
        'Saisissez ce code pour ajouter cette adresse à votre compte :',
        '{code}',
        'Il est valable {minutes} minutes. Si vous ne l’avez pas demandé, ignorez ce message : sans le code, rien ne se passe.',
      ],
      sms: '{code} est votre code Candor pour ajouter ce numéro. Valable {minutes} minutes. Ne le donnez à personne.',
    },
    'address-taken': {
      subject: 'Quelqu’un a voulu ajouter votre adresse à un compte',
      body: [
        'Quelqu’un a voulu ajouter cette adresse à un autre compte. Elle appartient au vôtre : rien n’a été modifié et aucun code n’a été envoyé.',
        'Si c’était vous : une adresse n’appartient qu’à un seul compte. Supprimez-la d’abord de celui-ci.',
      ],
      sms: 'Candor : quelqu’un a voulu ajouter ce numéro à un autre compte. Il reste lié au vôtre ; rien n’a changé.',
    },
    'address-set': {
      subject: 'Les adresses de votre compte ont changé',
      body: [
        '{address} appartient désormais à votre compte : elle permet de se connecter et reçoit les messages de sécurité. L’ancienne adresse du même type ne sert plus.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : {address} appartient désormais à votre compte, {time}. Pas vous ? Écrivez maintenant à l’assistance.',
    },
    'address-removed': {
      subject: 'Une adresse a été supprimée de votre compte',
      body: [
        '{address} n’appartient plus à votre compte : elle ne permet plus de se connecter et ne reçoit plus de messages.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : {address} n’appartient plus à votre compte, {time}. Pas vous ? Écrivez maintenant à l’assistance.',
    },
    'payment-set': {
      subject: 'Votre mot de passe de paiement a été défini',
      body: [
        'Le mot de passe de paiement de votre compte a été défini ou modifié.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : mot de passe de paiement défini, {time}. Pas vous ? Réinitialisez votre mot de passe et écrivez à l’assistance.',
    },
    'deletion-asked': {
      subject: 'Votre compte sera supprimé le {date}',
      body: [
        'Vous avez demandé la suppression de votre compte. Le {date}, il sera effacé et ne pourra pas être rétabli.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Vous avez changé d’avis, ou ce n’était pas vous ? Connectez-vous avant ce jour : la suppression sera annulée.',
      ],
      sms: 'Candor : votre compte sera supprimé le {date}. Connectez-vous avant pour annuler.',
    },
    'account-frozen': {
      subject: 'Votre compte est gelé',
      body: [
        'Votre compte a été gelé : toutes les sessions sont fermées, personne ne peut se connecter, les clés API sont refusées et les ordres ouverts sont annulés. Les positions ouvertes suivent toujours les règles du marché.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Pour l’utiliser à nouveau, écrivez à l’assistance. Deux membres de notre équipe vérifient que c’est bien vous.',
      ],
      sms: 'Candor : votre compte est gelé, {time}. Personne ne peut se connecter. Pour l’utiliser à nouveau, écrivez à l’assistance.',
    },
    'frozen-note': {
      subject: 'Mot de passe inchangé : le compte est gelé',
      body: [
        'Quelqu’un, sans doute vous, a demandé à réinitialiser le mot de passe de votre compte. Le compte est gelé : rien n’a été modifié.',
        'Pour l’utiliser à nouveau, écrivez à l’assistance. Deux membres de notre équipe vérifient que c’est bien vous.',
      ],
      sms: 'Candor : votre compte est gelé, son mot de passe ne peut pas être réinitialisé. Écrivez à l’assistance.',
    },
    'account-unfrozen': {
      subject: 'Votre compte est de nouveau ouvert',
      body: [
        'Votre compte n’est plus gelé. Vous pouvez vous connecter comme avant et vos clés API fonctionnent à nouveau.',
        'Vérifiez vos clés, vos adresses et l’historique des connexions. Si vous ne l’avez pas demandé, gelez à nouveau le compte et écrivez à l’assistance.',
      ],
      sms: 'Candor : votre compte n’est plus gelé, vous pouvez vous reconnecter. Pas vous ? Écrivez à l’assistance.',
    },
    'regain-code': {
      subject: '{code} est votre code pour retrouver l’accès',
      body: [
        'Quelqu’un a saisi votre mot de passe et demandé l’accès sans votre second facteur. Saisissez ce code pour continuer :',
        '{code}',
        'Il est valable {minutes} minutes.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, quelqu’un connaît votre mot de passe : changez-le maintenant et ne donnez le code à personne.',
      ],
      sms: '{code} est votre code Candor pour retrouver l’accès sans second facteur. Pas vous ? Changez votre mot de passe. Ne le donnez à personne.',
    },
    'regain-begun': {
      subject: 'Quelqu’un demande l’accès sans votre second facteur',
      body: [
        'Quelqu’un qui connaît votre mot de passe et lit cette boîte ou ce téléphone a demandé l’accès à votre compte sans votre second facteur.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'L’accès sera donné au plus tôt le {until}, sauf si vous l’empêchez. Si c’était vous, vous n’avez rien à faire.',
        'Si ce n’était pas vous, connectez-vous avec votre second facteur : la demande s’arrête. Ou gelez votre compte.',
      ],
      sms: 'Candor : accès sans second facteur demandé, dès le {until}. Pas vous ? Connectez-vous avec le second facteur ou gelez le compte.',
    },
    'regain-link': {
      subject: 'Votre lien pour retrouver l’accès',
      body: [
        'Le délai est écoulé. Ouvrez ce lien dans les {hours} heures et choisissez un nouveau mot de passe ; vos seconds facteurs perdus seront supprimés :',
        '{link}',
        'Le lien fonctionne une fois. Ne le donnez à personne. Ensuite, toutes les sessions se ferment et aucun retrait ne quitte votre compte pendant 24 heures.',
      ],
      sms: 'Candor : ouvrez {link} dans les {hours} heures pour retrouver l’accès. Ne le transmettez à personne.',
    },
    'regain-rejected': {
      subject: 'Votre demande d’accès a été refusée',
      body: [
        'Le document envoyé ne correspond pas à celui qui a servi à vérifier votre compte. Vos seconds facteurs restent donc en place.',
        'Connectez-vous et recommencez avec des photos du même document, ou écrivez à l’assistance.',
      ],
      sms: 'Candor : votre demande d’accès est refusée, le document ne correspond pas. Recommencez avec le document vérifié ou écrivez à l’assistance.',
    },
    regained: {
      subject: 'Vos seconds facteurs ont été supprimés',
      body: [
        'Votre compte a été rouvert avec un nouveau mot de passe, sans ses seconds facteurs. Toutes les sessions sont fermées.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Connectez-vous et ajoutez maintenant une clé d’accès ou une application d’authentification. Si ce n’était pas vous, écrivez à l’assistance.',
      ],
      sms: 'Candor : mot de passe changé et seconds facteurs supprimés, {time}. Ajoutez-en un maintenant. Pas vous ? Écrivez à l’assistance.',
    },
    'allow-list-on': {
      subject: 'Votre verrou d’adresses est activé',
      body: [
        'Personne ne peut ajouter d’adresse de retrait à votre compte pour l’instant. Les retraits ne vont qu’aux adresses de sa liste.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
      ],
      sms: 'Candor : votre verrou d’adresses est activé, {time}.',
    },
    'allow-list-ending': {
      subject: 'Votre verrou d’adresses va être désactivé',
      body: [
        'Quelqu’un a demandé à désactiver votre verrou d’adresses. Il reste valable jusqu’au {until} ; ensuite, des adresses de retrait peuvent être ajoutées à nouveau, et chacune attend 24 heures.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, conservez le verrou dans le centre de sécurité et changez votre mot de passe maintenant.',
      ],
      sms: 'Candor : votre verrou d’adresses prend fin le {until}. Pas vous ? Conservez-le dans le centre de sécurité et changez votre mot de passe.',
    },
    'withdrawal-address-added': {
      subject: 'Une adresse de retrait a été ajoutée',
      body: [
        'Les retraits de votre compte pourront aller à cette adresse {network} à partir du {until} :',
        '{destination}',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, quelqu’un est connecté à votre compte : gelez-le maintenant.',
      ],
      sms: 'Candor : adresse de retrait {network} {destination} ajoutée, utilisable à partir du {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'Une adresse de retrait a été supprimée',
      body: [
        'Plus aucun retrait de votre compte ne va à cette adresse {network} :',
        '{destination}',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, changez votre mot de passe maintenant.',
      ],
      sms: 'Candor : adresse de retrait {network} {destination} supprimée, {time}. Pas vous ? Changez votre mot de passe.',
    },
    'withdrawal-requested': {
      subject: 'Un retrait a été demandé',
      body: [
        'Un retrait de {quantity} {asset} a été demandé sur votre compte. {received} {asset} doivent arriver à cette adresse {network} :',
        '{destination}',
        'Heure : {time}',
        'Si ce n’était pas vous, gelez votre compte maintenant. Tant que le retrait est en cours d’examen, cela l’arrête.',
      ],
      sms: 'Candor : retrait de {quantity} {asset} vers {network} {destination} demandé. Pas vous ? Gelez votre compte maintenant.',
    },
    'withdrawal-approved': {
      subject: 'Votre retrait a été approuvé',
      body: [
        'Votre retrait de {quantity} {asset} a été approuvé et va être envoyé à cette adresse {network} :',
        '{destination}',
        'Heure : {time}',
      ],
      sms: 'Candor : votre retrait de {quantity} {asset} a été approuvé, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Votre retrait a été refusé',
      body: [
        'Votre retrait de {quantity} {asset} a été refusé. Le montant est de nouveau disponible.',
        'Motif : {reason}',
        'Heure : {time}',
        'Pour toute question, écrivez à l’assistance.',
      ],
      sms: 'Candor : votre retrait de {quantity} {asset} a été refusé, {time}. L’application indique le motif.',
    },
    'withdrawal-paid': {
      subject: 'Votre retrait a été payé',
      body: ['{received} {asset} sont arrivés à cette adresse {network} :', '{destination}', 'Transaction :\n{txid}', 'Heure : {time}'],
      sms: 'Candor : votre retrait de {quantity} {asset} a été payé, {time}. L’application affiche la transaction.',
    },
    'withdrawal-failed': {
      subject: 'Votre retrait a échoué',
      body: [
        'Votre retrait de {quantity} {asset} sur le réseau {network} n’a pas pu être payé. Le montant est de nouveau disponible.',
        'Heure : {time}',
        'Rien n’a quitté votre compte. Vous pouvez redemander le retrait.',
      ],
      sms: 'Candor : votre retrait de {quantity} {asset} a échoué, {time}. Le montant est de nouveau disponible.',
    },
    'deposit-credited': {
      subject: 'Un dépôt a été crédité',
      body: [
        '{quantity} {asset} venus de {network} ont été crédités sur votre compte Spot.',
        'Heure : {time}',
        'Vous pouvez les utiliser pour acheter et vendre. L’application indique à partir de quand ils peuvent être retirés.',
      ],
      sms: 'Candor : {quantity} {asset} venus de {network} ont été crédités, {time}.',
    },
    'deposit-repaid': {
      subject: 'Un dépôt a remboursé votre dette',
      body: [
        '{quantity} {asset} sont arrivés de {network}. Sur ce montant, {repaid} {asset} ont remboursé votre dette pour un dépôt annulé par son réseau. Vous devez encore {debt} {asset}.',
        'Heure : {time}',
      ],
      sms: 'Candor : {repaid} {asset} d’un dépôt ont remboursé votre dette, {time}.',
    },
    'deposit-final': {
      subject: 'Un dépôt peut être retiré',
      body: ['Votre dépôt de {quantity} {asset} venu de {network} est définitif. Il peut maintenant être retiré.', 'Heure : {time}'],
      sms: 'Candor : votre dépôt de {quantity} {asset} peut maintenant être retiré, {time}.',
    },
    'deposit-small': {
      subject: 'Un dépôt est inférieur au minimum',
      body: [
        '{quantity} {asset} sont arrivés de {network}. Les dépôts sur ce réseau sont crédités dès qu’ils atteignent ensemble {min} {asset}. Il manque encore {missing} {asset}.',
        'Heure : {time}',
        'Ce qui est arrivé reste à vous et compte avec vos prochains dépôts.',
      ],
      sms: 'Candor : un dépôt de {quantity} {asset} est en attente ; il manque {missing} {asset} pour atteindre le minimum.',
    },
    'deposit-dropped': {
      subject: 'Un dépôt a été repris',
      body: [
        'Le réseau {network} a annulé le bloc de votre dépôt de {quantity} {asset}, qui a donc été repris sur votre compte Spot.',
        'Heure : {time}',
        'Si le réseau reprend le paiement, le dépôt sera de nouveau crédité.',
      ],
      sms: 'Candor : le réseau a annulé votre dépôt de {quantity} {asset}, qui a été repris, {time}.',
    },
    'deposit-debt': {
      subject: 'Vous devez un dépôt annulé par son réseau',
      body: [
        'Le réseau {network} a annulé le bloc de votre dépôt de {quantity} {asset}. Votre compte Spot ne l’avait plus en entier : vous devez {debt} {asset}.',
        'Heure : {time}',
        'Aucun retrait n’est accepté tant que la dette n’est pas remboursée. Vos prochains dépôts de {asset} la remboursent d’abord, ou vous la remboursez dans l’application depuis votre compte Spot.',
      ],
      sms: 'Candor : le réseau a annulé votre dépôt de {quantity} {asset}. Vous devez {debt} {asset} ; aucun retrait n’est accepté avant remboursement.',
    },
    'rest-begun': {
      subject: 'Une pause de votre compte a commencé',
      body: [
        'Jusqu’au {until}, votre compte n’accepte rien qui ouvre un risque : ni nouvelles positions, ni emprunts, ni ordres Second, ni achats en USDT. Clôturer, vendre contre USDT et retirer restent possibles.',
        'Personne ne peut mettre fin plus tôt à une pause, ni vous ni la plateforme. La page « Vos limites » de l’application indique pourquoi elle a commencé.',
      ],
      sms: 'Candor : une pause de votre compte a commencé et dure jusqu’au {until}.',
    },
    'papers-verified': {
      subject: 'Votre identité est vérifiée',
      body: ['Votre identité est vérifiée. Futures, Marge, Second et le prêt vous sont maintenant ouverts.'],
      sms: 'Candor : votre identité est vérifiée.',
    },
    'papers-rejected': {
      subject: 'Votre vérification d’identité est à compléter',
      body: [
        'Nous n’avons pas encore pu vérifier votre identité. Ouvrez « Vérification d’identité » dans l’application : elle indique ce qui manque et pourquoi.',
        'Seules les parties indiquées sont à renvoyer.',
      ],
      sms: 'Candor : votre vérification d’identité est à compléter. L’application indique ce qui manque.',
    },
    'papers-revoked': {
      subject: 'Votre vérification d’identité a été révoquée',
      body: [
        'Votre identité n’est plus vérifiée. Futures, Marge, Second et le prêt sont fermés aux nouveaux ordres ; ce qui est ouvert peut être fermé, et vos fonds restent à vous.',
        'Ouvrez « Vérification d’identité » dans l’application pour vous vérifier à nouveau, ou écrivez au support.',
      ],
      sms: 'Candor : votre vérification d’identité a été révoquée. Ouvrez l’application pour vous vérifier à nouveau.',
    },
    'login-failed': {
      subject: 'Connexions échouées à votre compte',
      body: [
        'Quelqu’un a saisi plusieurs fois un mot de passe erroné pour votre compte. Voici la dernière tentative :',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si c’était vous, il n’y a rien à faire. Sinon, ajoutez un second facteur dans le centre de sécurité de l’application : un mot de passe seul ne suffira plus.',
      ],
      sms: 'Candor : plusieurs mots de passe erronés pour votre compte, le dernier depuis {ip}, {time}. Pas vous ? Ajoutez un second facteur.',
    },
    'recovery-used': {
      subject: 'Un code de secours a été utilisé',
      body: [
        'Un code de secours de votre compte a été utilisé à la place du second facteur.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, réinitialisez votre mot de passe maintenant et écrivez à l’assistance.',
      ],
      sms: 'Candor : code de secours utilisé, {time}. Pas vous ? Réinitialisez votre mot de passe et écrivez à l’assistance.',
    },
    'key-used': {
      subject: 'Une clé API a été utilisée pour la première fois',
      body: [
        'La clé API « {label} » de votre compte a été utilisée pour la première fois.',
        'Adresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, supprimez la clé dans l’application et changez votre mot de passe maintenant.',
      ],
      sms: 'Candor : première utilisation d’une clé API, depuis {ip}, {time}. Pas vous ? Supprimez-la et changez votre mot de passe.',
    },
    'rest-ended': {
      subject: 'Votre pause est terminée',
      body: [
        'Votre pause est terminée. Vos limites restent inchangées.',
        'Pour la prolonger, commencez une nouvelle pause dans l’application, sous votre profil.',
      ],
      sms: 'Candor : votre pause est terminée. Vos limites restent inchangées.',
    },
    'support-answered': {
      subject: 'L’assistance vous a répondu',
      body: [
        'L’assistance a répondu à votre demande {ticket}.',
        'Heure : {time}',
        'Lisez la réponse dans l’application, sous « Assistance ». Notre équipe ne demande jamais votre mot de passe, un code ou votre mot de passe de paiement.',
      ],
      sms: 'Candor : l’assistance a répondu à votre demande {ticket}. Lisez la réponse dans l’application.',
    },
    'firm-waiting': {
      subject: 'Une demande de votre entreprise vous attend',
      body: [
        'La demande {number} de {firm} attend votre approbation.',
        'Heure : {time}',
        'Consultez-la dans l’application sous « Comptes d’entreprise », et ne l’approuvez que si vous savez à quoi elle sert.',
      ],
      sms: 'Candor : la demande {number} de {firm} attend votre approbation.',
    },
    'firm-decided': {
      subject: 'Une demande de votre entreprise a été tranchée',
      body: [
        'Demande {number} de {firm} : voyez ce qu’il en est.',
        'Heure : {time}',
        'Lisez dans l’application, sous « Comptes d’entreprise », ce qu’il en est.',
      ],
      sms: 'Candor : demande {number} de {firm} : voyez ce qu’il en est.',
    },
    'firm-invited': {
      subject: 'Une entreprise vous invite',
      body: [
        '{firm} vous invite à devenir membre.',
        'Heure : {time}',
        'Lisez dans l’application, sous « Comptes d’entreprise », quel rôle elle vous propose, et n’acceptez que si vous connaissez l’entreprise.',
      ],
      sms: 'Candor : {firm} vous invite à devenir membre.',
    },
    'firm-changed': {
      subject: 'Votre rôle dans une entreprise a changé',
      body: [
        'Votre rôle ou vos comptes chez {firm} ont été modifiés.',
        'Heure : {time}',
        'Lisez dans l’application, sous « Comptes d’entreprise », ce que vous pouvez y faire à présent. Les clés API que vous avez créées pour ses comptes peuvent ne plus être valables.',
      ],
      sms: 'Candor : Votre rôle ou vos comptes chez {firm} ont été modifiés.',
    },
    'firm-ended': {
      subject: 'Votre rôle dans une entreprise a pris fin',
      body: [
        'Votre adhésion à {firm}, ou votre invitation, a pris fin.',
        'Heure : {time}',
        'Vous n’utilisez plus les comptes de l’entreprise. Votre propre compte n’est pas concerné.',
      ],
      sms: 'Candor : Votre adhésion à {firm}, ou votre invitation, a pris fin.',
    },
    'firm-answered': {
      subject: 'Votre demande d’entreprise a été tranchée',
      body: [
        'La plateforme a tranché votre demande pour {firm}.',
        'Heure : {time}',
        'Lisez la décision dans l’application, sous « Comptes d’entreprise ».',
      ],
      sms: 'Candor : La plateforme a tranché votre demande pour {firm}.',
    },
    'funds-posted': {
      subject: 'Votre solde a été ajusté',
      body: [
        'Candor a enregistré un ajustement sur votre compte. Deux membres de l’équipe l’ont décidé et motivé.',
        'Heure : {time}',
        'L’application affiche le montant dans l’historique des actifs. Si vous ne l’attendiez pas, écrivez à l’assistance.',
      ],
      sms: 'Candor : votre solde a été ajusté, {time}. L’application affiche le montant.',
    },
    'limit-raised': {
      subject: 'L’une de vos limites a été relevée ou supprimée',
      body: [
        'Vous avez confirmé, après le délai d’attente, la hausse ou la suppression de l’une de vos limites. Elle prend effet maintenant.',
        'Vous pouvez l’abaisser à tout moment, avec effet immédiat. Si ce n’était pas vous, gelez votre compte maintenant.',
      ],
      sms: 'Candor : l’une de vos limites a été relevée ou supprimée. Pas vous ? Gelez votre compte maintenant.',
    },
    'futures-warning': {
      subject: 'Une position Futures est proche de la liquidation',
      body: [
        'Une position de votre compte Futures est proche de la liquidation.',
        'Heure : {time}',
        'Ouvrez l’application pour ajouter de la marge ou réduire la position. Si le prix de référence continue d’évoluer contre elle, elle sera fermée.',
      ],
      sms: 'Candor : une position Futures est proche de la liquidation, {time}. Ajoutez de la marge ou réduisez-la dans l’application.',
    },
    'futures-liquidated': {
      subject: 'Une position Futures est en cours de liquidation',
      body: [
        'La marge de l’une de vos positions Futures ne la couvre plus : la position est fermée, en partie ou en totalité.',
        'Heure : {time}',
        'L’application montre chaque étape, avec les prix qui l’ont décidée.',
      ],
      sms: 'Candor : une position Futures est en cours de liquidation, {time}. L’application montre chaque étape.',
    },
    'futures-deleveraged': {
      subject: 'Une position Futures a été réduite automatiquement',
      body: [
        'La position Futures d’un autre client n’a pas pu être fermée sur le marché. La vôtre, en sens inverse, a été fermée au même prix, en partie ou en totalité : c’est le désendettement automatique.',
        'Heure : {time}',
        'L’application montre le prix et ce qui reste de la position.',
      ],
      sms: 'Candor : une position Futures a été réduite automatiquement, {time}. Détails dans l’application.',
    },
    'margin-warning': {
      subject: 'Un compte Marge est proche de la liquidation',
      body: [
        'Le niveau de l’un de vos comptes Marge est bas.',
        'Heure : {time}',
        'Ouvrez l’application pour rembourser ou ajouter des actifs. Si le niveau baisse encore, des actifs seront vendus pour rembourser la dette.',
      ],
      sms: 'Candor : un compte Marge est proche de la liquidation, {time}. Remboursez ou ajoutez des actifs dans l’application.',
    },
    'margin-liquidated': {
      subject: 'Un compte Marge est en cours de liquidation',
      body: [
        'Le niveau de l’un de vos comptes Marge est passé sous la limite : des actifs sont vendus pour rembourser la dette.',
        'Heure : {time}',
        'L’application montre chaque étape, avec les prix qui l’ont décidée.',
      ],
      sms: 'Candor : un compte Marge est en cours de liquidation, {time}. L’application montre chaque étape.',
    },
    'price-alert': {
      subject: 'Une alerte de prix a été atteinte',
      body: [
        '{symbol} a atteint votre alerte de prix : {reached}.',
        'Heure : {time}',
        'Vos alertes se gèrent dans l’application. Elles ne sont pas un conseil d’investissement.',
      ],
      sms: 'Candor : {symbol} a atteint votre alerte de prix : {reached}, {time}.',
    },
    'second-settled': {
      subject: 'Un ordre Second a été réglé',
      body: ['L’un de vos ordres Second a été réglé.', 'Heure : {time}', 'L’application montre le résultat et comment le vérifier.'],
      sms: 'Candor : un ordre Second a été réglé, {time}.',
    },
    'order-filled': {
      subject: 'Un ordre a été exécuté',
      body: ['L’un de vos ordres a été entièrement exécuté.', 'Heure : {time}', 'L’application montre son prix et ses frais.'],
      sms: 'Candor : un ordre a été exécuté, {time}.',
    },
    'order-cut': {
      subject: 'Un ordre a été partiellement exécuté',
      body: [
        'L’un de vos ordres a été partiellement exécuté, et le reste a été annulé.',
        'Heure : {time}',
        'L’application montre son prix et ses frais.',
      ],
      sms: 'Candor : un ordre a été partiellement exécuté, {time}.',
    },
    'algo-ended': {
      subject: 'Un ordre TWAP ou échelonné a pris fin',
      body: [
        'L’un de vos ordres TWAP ou échelonnés a pris fin.',
        'Heure : {time}',
        'L’application montre ce qui a été acheté ou vendu, et la raison.',
      ],
      sms: 'Candor : un ordre TWAP ou échelonné a pris fin, {time}.',
    },
    'order-ended': {
      subject: 'Un ordre a pris fin sans être exécuté',
      body: ['L’un de vos ordres a pris fin avant d’être exécuté.', 'Heure : {time}', 'L’application en indique la raison.'],
      sms: 'Candor : un ordre a pris fin sans être exécuté, {time}.',
    },
    'coins-moved': {
      subject: 'Un transfert entre comptes a été effectué',
      body: [
        'Un transfert a été effectué entre vos comptes ou entre des comptes de votre entreprise.',
        'Heure : {time}',
        'L’application montre l’actif et le montant.',
      ],
      sms: 'Candor : un transfert entre comptes a été effectué, {time}.',
    },
    'loan-taken': {
      subject: 'Un emprunt a été contracté',
      body: [
        'Un emprunt a été contracté sur l’un de vos comptes de marge.',
        'Heure : {time}',
        'L’application montre l’actif et le montant.',
      ],
      sms: 'Candor : un emprunt a été contracté, {time}.',
    },
    'loan-repaid': {
      subject: 'Un emprunt a été remboursé',
      body: [
        'Un emprunt sur l’un de vos comptes de marge a été remboursé, en partie ou en totalité.',
        'Heure : {time}',
        'L’application montre l’actif et le montant.',
      ],
      sms: 'Candor : un emprunt a été remboursé, {time}.',
    },
    'signal-refused': {
      subject: 'Un signal a été refusé',
      body: [
        'Une alerte pour l’une de vos clés API n’a passé aucun ordre.',
        'Heure : {time}',
        'Le journal des signaux de l’application en indique la raison.',
      ],
      sms: 'Candor : un signal a été refusé, {time}.',
    },
    'staff-enrolment': {
      subject: 'Configurez votre compte du personnel',
      body: [
        'Ouvrez ce lien pour définir un mot de passe et une clé d’accès pour votre compte du personnel :',
        '{link}',
        'Il fonctionne une seule fois, dans les 24 heures, et pour vous seul : ne le donnez à personne, pas même à un collègue.',
        'Si vous ne l’attendiez pas, ne l’ouvrez pas et prévenez vos administrateurs.',
      ],
      sms: 'Candor : configurez votre compte du personnel avec {link}, une fois, dans les 24 heures.',
    },
    'staff-address': {
      subject: 'L’adresse de votre compte du personnel a été modifiée',
      body: [
        'Les e-mails pour votre compte du personnel sont désormais envoyés à une autre adresse.',
        'Heure : {time}',
        'Si vous ne l’avez pas demandé, prévenez vos administrateurs maintenant.',
      ],
      sms: 'Candor : l’adresse de votre compte du personnel a été modifiée, {time}. Pas vous ? Prévenez vos administrateurs.',
    },
    'staff-login': {
      subject: 'La connexion à votre compte du personnel a été modifiée',
      body: [
        'Une clé d’accès, l’application d’authentification ou le mot de passe de votre compte du personnel a été modifié.',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, prévenez vos administrateurs maintenant : une nouvelle configuration met fin à toutes les sessions.',
      ],
      sms: 'Candor : la connexion à votre compte du personnel a été modifiée, {time}. Pas vous ? Prévenez vos administrateurs.',
    },
    'webhook-created': {
      subject: 'Un webhook a été ajouté à votre compte',
      body: [
        'Désormais, les événements de votre compte sont envoyés à cette URL :',
        '{url}',
        'Appareil : {device}\nAdresse IP : {ip}\nHeure : {time}',
        'Si ce n’était pas vous, supprimez le webhook dans l’application et changez votre mot de passe maintenant.',
      ],
      sms: 'Candor : un webhook a été ajouté à votre compte, {time}. Pas vous ? Supprimez-le et changez votre mot de passe.',
    },
    'webhook-off': {
      subject: 'Un webhook a été désactivé',
      body: [
        'Les envois à l’un de vos webhooks échouent depuis {time} ; il a donc été désactivé :',
        '{url}',
        'Quand votre serveur fonctionnera de nouveau, réactivez le webhook dans l’application et renvoyez les événements manqués. Vos ordres et vos soldes ne sont pas touchés.',
      ],
      sms: 'Candor : l’un de vos webhooks a été désactivé : les envois échouent depuis {time}.',
    },
    'account-exists': {
      subject: 'Vous avez déjà un compte',
      body: [
        'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse. Elle a déjà un compte ; nous n’en ouvrons pas d’autre.',
        'Connectez-vous comme d’habitude. Si vous avez oublié votre mot de passe, choisissez « Mot de passe oublié ? » sur la page de connexion.',
      ],
      sms: 'Candor : ce numéro a déjà un compte. Connectez-vous ou choisissez « Mot de passe oublié ? ».',
    },
  },
}
