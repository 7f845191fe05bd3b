package phrase

// objectWords are what descriptions of things say. The shapes are those of the
// kit of models.
const objectWords = `
noun=shape shape=box takes=color: box, cube, crate, chest, treasure chest, brick, parcel, package, suitcase, dice, die, cupboard, wardrobe, fridge
noun=shape shape=sphere takes=color: sphere, orb, marble, bubble, pearl
noun=shape shape=cylinder takes=color: cylinder, can, barrel, drum, pillar, column, pipe, tube, candle, jar, bottle
noun=shape shape=cone takes=color: cone, traffic cone, party hat, tipi, teepee, funnel
noun=shape shape=torus takes=color: torus, doughnut, donut, tyre, tire, wreath, hoop
noun=shape shape=wedge takes=color: wedge, ramp, slide
noun=shape shape=house takes=color: house, cottage, hut, cabin, home, barn, shed, villa
noun=shape shape=tower takes=color: tower, lighthouse, skyscraper, windmill
noun=shape shape=castle takes=color: castle, palace, fortress, fort
noun=shape shape=tree takes=color: tree, oak, birch, apple tree
noun=shape shape=pine takes=color: pine, fir, spruce, christmas tree
noun=shape shape=bush takes=color: bush, shrub, hedge
noun=shape shape=flower takes=color: flower, tulip, daisy, sunflower, blossom, lily
noun=shape shape=rock takes=color: rock, boulder, pebble
noun=shape shape=mountain takes=color: mountain, volcano, hill
noun=shape shape=bridge takes=color: bridge
noun=shape shape=fence takes=color: fence, railing
noun=shape shape=table takes=color: table, desk, workbench
noun=shape shape=chair takes=color: chair, stool, armchair, throne, seat, bench
noun=shape shape=lamp takes=color: lamp, lantern, light bulb, desk lamp, torch, streetlight, flashlight
noun=shape shape=bed takes=color: bed, bunk, cradle, sofa, couch
noun=shape shape=bookshelf takes=color: bookshelf, bookcase, shelf
noun=shape shape=blackboard takes=color: blackboard, chalkboard, whiteboard
noun=shape shape=car takes=color: car, automobile, taxi, van, truck, lorry, racing car
noun=shape shape=bus takes=color: bus, school bus, coach, minibus, tram
noun=shape shape=bicycle takes=color: bicycle, bike, cycle
noun=shape shape=boat takes=color: boat, ship, sailboat, sailing boat, canoe, raft, pirate ship
noun=shape shape=rocket takes=color: rocket, spaceship, spacecraft, space ship, missile
noun=shape shape=aeroplane takes=color: aeroplane, airplane, plane, jet, aircraft, glider
noun=shape shape=planet takes=color: planet, gas giant, mars, jupiter, venus
noun=shape shape=star takes=color: star, sun
noun=shape shape=ring takes=color: ring, wedding ring, bracelet
noun=shape shape=moon takes=color: moon, crescent
noun=shape shape=crystal takes=color: crystal, gem, gemstone, jewel, diamond, amulet, ruby
noun=shape shape=molecule takes=color: molecule, atom
noun=shape shape=bar-chart takes=color: bar chart, bar graph, chart
noun=shape shape=globe takes=color: globe, world globe
noun=shape shape=book takes=color: book, notebook, diary, novel, dictionary, spell book, textbook, atlas
noun=shape shape=ball takes=color: ball, football, basketball, balloon, tennis ball, beach ball, soccer ball
noun=shape shape=apple takes=color: apple, fruit, peach, tomato
noun=shape shape=cup takes=color: cup, mug, teacup, goblet, glass of, vase, bowl, beaker, chalice, trophy
material=wood: wood, wooden, oak wood, timber, bamboo
material=metal: metal, metallic, iron, steel, tin, brass, rusty, aluminium
material=glass: glass, glassy, see through
material=stone: stone, stony, granite, concrete
material=plastic: plastic, vinyl
material=paper: paper, cardboard, papier mache, origami
material=fabric: fabric, cloth, woollen, woolen, knitted, cotton, velvet, felt, silk, plush
material=leather: leather
material=ceramic: ceramic, clay, porcelain, china, terracotta, pottery
material=ice: ice, frozen, icy
material=rubber: rubber
material=gold: gold, golden
material=silver: silver
size=small: small, tiny, little, miniature, mini, pocket sized
size=medium: medium, medium sized
size=large: large, big, huge, giant, enormous, gigantic, massive, tall
era=ancient: ancient, prehistoric, roman, egyptian, greek, antique
era=medieval: medieval, middle ages, viking
era=victorian: victorian, steampunk, nineteenth century
era=old: old, vintage, retro, old fashioned, worn, used
era=modern: modern, new, contemporary, brand new
era=futuristic: futuristic, sci fi, science fiction, high tech, hi tech
`

// locationWords are what descriptions of places say.
const locationWords = `
weak setting=indoor place=classroom: classroom, school, schoolroom, lecture hall
weak setting=indoor place=library: library, bookshop, bookstore
weak setting=indoor place=kitchen: kitchen, bakery
weak setting=indoor place=bedroom: bedroom, attic, nursery
weak setting=indoor place=living_room: living room, lounge, sitting room
weak setting=indoor place=laboratory: laboratory, lab, workshop
weak setting=indoor place=gym: gym, gymnasium, sports hall
weak setting=indoor place=hall: hall, corridor, hallway, ballroom, throne room
weak setting=indoor place=cave: cave, cavern, dungeon, mine, tunnel
weak setting=indoor place=theatre: theatre, theater, stage, cinema
weak setting=indoor place=museum: museum, gallery
weak setting=indoor place=office: office
weak setting=indoor place=shop: shop, store, supermarket, cafe, restaurant, pub
weak setting=indoor place=church: church, temple, cathedral, mosque
weak setting=indoor place=spaceship: spaceship, space station, cockpit
weak setting=indoor place=hospital: hospital
weak setting=outdoor place=forest: forest, wood, woods, woodland, jungle, rainforest, glade
weak setting=outdoor place=beach: beach, seaside, coast, shore
weak setting=outdoor place=sea: sea, ocean, bay
weak setting=outdoor place=lake: lake, pond, river, waterfall, stream
weak setting=outdoor place=island: island
weak setting=outdoor place=mountains: mountain, mountains, hill, hills, valley, cliff, volcano, canyon
weak setting=outdoor place=desert: desert, dunes, dune, savanna, savannah
weak setting=outdoor place=meadow: meadow, field, fields, grassland, countryside, prairie
weak setting=outdoor place=farm: farm, barnyard, orchard, vineyard
weak setting=outdoor place=garden: garden, courtyard, backyard
weak setting=outdoor place=park: park, playground, zoo
weak setting=outdoor place=schoolyard: schoolyard, school yard
weak setting=outdoor place=city: city, town, skyline, downtown, metropolis
weak setting=outdoor place=street: street, road, alley, lane, avenue
weak setting=outdoor place=village: village, hamlet
weak setting=outdoor place=market: market, marketplace, bazaar
weak setting=outdoor place=castle: castle, palace, fortress, ruins
weak setting=outdoor place=harbour: harbour, harbor, port, pier, lighthouse
weak setting=outdoor place=station: station, train station, bus stop, airport
weak setting=outdoor place=stadium: stadium, sports field, football pitch
weak setting=outdoor place=space: space, outer space, planet, moon surface, galaxy
weak setting=outdoor place=swamp: swamp, marsh, bog
setting=indoor: indoor, indoors, inside, interior
setting=outdoor: outdoor, outdoors, outside, exterior, open air
timeOfDay=dawn: dawn, sunrise, daybreak, early morning, first light
timeOfDay=day: day, daytime, noon, midday, morning, afternoon, daylight
timeOfDay=dusk: dusk, sunset, evening, twilight, golden hour, nightfall
timeOfDay=night: night, midnight, nighttime, moonlit, starry, moonlight
weather=sunny: sunny, sunshine, clear sky, bright sun, cloudless
weather=cloudy: cloudy, overcast, clouds, cloud
weather=rainy: rain, rainy, raining, drizzle, wet
weather=snowy: snow, snowy, snowing, blizzard
weather=foggy: fog, foggy, mist, misty, hazy
weather=stormy: storm, stormy, thunder, lightning, thunderstorm, hurricane
weather=windy: wind, windy, breezy
season=spring: spring, springtime
season=summer: summer, summertime
season=autumn: autumn, autumnal, harvest
season=winter: winter, wintry, icy, frozen
mood=calm: calm, quiet, peaceful, serene, tranquil
mood=cosy: cosy, cozy, warm, homely
mood=cheerful: cheerful, happy, bright, colourful, colorful, lively, festive
mood=busy: busy, crowded, bustling, noisy
mood=mysterious: mysterious, mystic, secret, hidden
mood=spooky: spooky, scary, creepy, haunted, eerie, gloomy, dark
mood=magical: magical, enchanted, magic, fairytale, dreamy
mood=lonely: lonely, abandoned, deserted, empty, forgotten
mood=romantic: romantic
mood=sad: sad, bleak
mood=epic: epic, majestic, grand
`
