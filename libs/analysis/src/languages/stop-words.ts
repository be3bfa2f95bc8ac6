const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Words that build a sentence and carry no topic; folded, lower case. The lists of the most frequent languages here are
 * chosen for short questions; the others are published lists.
 */
export const stopWords = {
  es: words(`
    a al algo algun alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada como con
    contra cual cuales cuando cuanto cuantos de del desde donde dos e el ella ellas ello ellos en entre era eran es esa esas
    ese eso esos esta estaba estan estar estas este esto estos fue fueron ha habia han has hasta hay he la las le les lo los
    mas me mi mientras mis mucho muy nada ni no nos nosotros o os otra otras otro otros para pero por porque pues que quien
    quienes se sea segun ser si sido sin sobre solo son su sus suya suyo tal tambien tan tanto te tiene tienen todo todos
    tras tu tus u un una unas uno unos y ya yo`),
  en: words(`
    a about after all also an and any are as at be because been before being between but by can did do does for from had has
    have he her his how i if in into is it its me more most my no nor not of on or other our out over she so some such than
    that the their them then there these they this those through to under up was we were what when where which while who
    whom why will with would you your`),
  de: words(`
    aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem
    den denn der des dessen deshalb die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer
    eines er es etwas euch fur gegen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren
    ihrer im in ins ist jede jedem jeden jeder jedes jener kann kein keine konnen konnte machen mein mit muss musste nach
    nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll sollte
    sondern sonst um und uns unser unter viel vom von vor war waren was weil welche welcher wenn wer werde werden wie wieder
    will wir wird wo wurde wurden wurde zu zum zur zwar zwischen uber`),
  fr: words(`
    a ai alors apres au aucun aussi autre autres aux avait avant avec avoir c ce cela ces cet cette ceux chaque ci comme
    comment d dans de depuis des deux doit donc du elle elles en encore entre est et etaient etait ete etre eu fait faut
    il ils j je l la le les leur leurs lors lui m ma mais me meme mes moins mon n ne ni nos notre nous on ont ou par parce
    pas pendant peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses si
    son sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vos votre vous y`),
  pt: words(`
    a ainda algum alguma alguns ao aos apos aquela aquele aqueles aquilo as ate cada com como contra da das de dela dele deles
    depois desde do dos duas e ela elas ele eles em entre era eram essa essas esse esses esta estao estas estava este estes
    eu foi foram ha isso isto ja lhe lhes mais mas me mesmo meu minha muito na nao nas nem no nos nossa nosso num numa o onde
    os ou outra outras outro outros para pela pelas pelo pelos pode por porque pouco qual quais quando quanto que quem se seja
    sem sempre ser seu seus sua suas sao so sobre tal tambem tao te tem tinha todo todos toda todas tu tudo um uma umas uns
    voce voces`),
  it: words(`
    a ad agli ai al alla alle allo anche ancora avere aveva c che chi ci cio col come con contro cosa cui d da dagli dai dal
    dalla dalle dallo degli dei del della delle dello dentro di dopo dove due e ed era erano essere fino fra fu gia gli ha
    hanno ho i il in io l la le lei li lo loro lui ma me mentre mi mio molto ne negli nei nel nella nelle nello no noi non
    nostro o ogni oppure per perche piu po poi prima puo qual quale quali quando quanto quella quelle quelli quello questa
    queste questi questo qui quindi sarebbe se sei senza si sia siamo sono sopra sotto stata stato su sua sue sugli sui sul
    sulla sulle suo suoi tra tu tutta tutte tutti tutto un una uno voi`),
  ca: words(`
    a abans aixi aixo al algu algun alguna algunes alguns als altra altre altres amb aquell aquella aquelles aquells aquest aquesta
    aquestes aquests aqui cada cap com contra d dalt de del dels des despres doncs durant e el ella elles ells els em en encara
    entre era eren es esta estan estat et eta fer fins foren fou ha haver havia he hem hi ho i ja jo l la les li llur lo m mateix
    me mentre mes meu meva molt moltes molts mo n ne ni no nosaltres nostra nostre o on pel pels per perque pero poc pot qual quals
    quan quant que quelcom qui quin quina quins quines s sa se segons sense ser sera seu seus seva seves si sigui sino so sobre son
    sota sou t tal tambe tan tant te tenir te tot tota totes tots tu un una unes uns us va van vosaltres vostra vostre`),
  gl: words(`
    a ainda alguen algun algunha algunhas alguns ante antes ao aos aquel aquela aquelas aqueles aqui as asi ata aunque cada cal cales
    cando canto co coa coas como con contra cos cuxo da das de del dela delas deles desde despois do dos e el ela elas eles en entre
    era eran es esa esas ese eses esta estaba estan estas este estes eu foi foron ha hai isto iso la lle lles lo mais me mentres meu
    mesmo mina mo moi na nada nas nen nin no nos nosa noso nunha un o onde os ou outra outras outro outros para pero pode pola polas
    polo polos por porque pouco que quen se seguen segundo seu seus sen ser si so sobre son sua suas tal tamen tan tanto te ten tenen
    teu toda todas todo todos tras tu tua un unha unhas uns vos xa`),
  eu: words(`
    al ala alde anitz arabera arte asko aurka aurrera ba bai baina baino baita bakoitza bat batean batek baten batera bati batzuk beharko
    behar bera berak beraz bere berean berriz beste bestalde bezain bezala bi bidez da dago dagoen daiteke dela delako dena den dira diren
    direla ditu dituzte dituen dizkio dio diote du duen duela dute duten egin egingo egiten egon ere eta etxeko ez ezin gabe gara gero guk guztiak
    guztien guztiz gu hala han handi hango hara hasi hau hauek hauetan hauei hemen hori horiek horien horrek horren horretan hortik huen ia
    inguru izan izango izaten joan jo lehen lortu luze nahi nire non nor noiz nola oso ondoren orain ordea orduan ondo osoa ta tartean
    ti uste zara zein zen zena zenbat zer zeuden ziren zituen zuen zuten zion zure`),
} as const;
