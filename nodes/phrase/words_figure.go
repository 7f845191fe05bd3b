package phrase

// characterWords are what descriptions of people say.
const characterWords = `
age=child gender=female: girl, little girl, young girl, schoolgirl, daughter, granddaughter
age=child gender=male: boy, little boy, young boy, schoolboy, son, grandson
age=child: child, children, kid, toddler, baby, infant, pupil, preschooler, little one
age=teen gender=female: teenage girl, teen girl
age=teen gender=male: teenage boy, teen boy
age=teen: teen, teenager, teenage, adolescent, youth, high school student
age=adult gender=female: young woman, young lady
age=adult gender=male: young man, young guy
age=adult: adult, grown up, grownup, middle aged, twenties, thirties, forties, fifties
age=old gender=female: grandmother, grandma, granny, old woman, old lady, elderly woman, elderly lady
age=old gender=male: grandfather, grandpa, grandad, granddad, old man, elderly man, elderly gentleman
age=old: old, elderly, aged, senior, ancient, elder, pensioner, grandparent, sixties, seventies, eighties, nineties
weak age=adult: young, student
weak age=adult gender=female: woman, women, lady, mother, mum, mom, wife, aunt, businesswoman, nun, waitress, actress, heroine, sister
weak age=adult gender=male: man, men, guy, gentleman, father, dad, husband, uncle, businessman, waiter, actor, brother
gender=female: female, feminine
gender=male: male, masculine
gender=neutral: androgynous, nonbinary, non binary
weak age=adult outfit=uniform: police officer, policeman, policewoman, soldier, astronaut, pilot, firefighter, fireman, sailor, guard, captain, postman
weak age=adult outfit=lab-coat: scientist, doctor, chemist, professor, dentist, pharmacist, inventor, vet
weak age=adult outfit=armour: knight, paladin, samurai, gladiator, warrior
weak outfit=robe gender=male: wizard, monk, sorcerer, priest
weak outfit=robe gender=female: witch, sorceress, priestess, enchantress
weak outfit=robe: magician, mage, druid
weak accessory=crown gender=male age=adult: king, emperor
weak accessory=crown gender=female age=adult: queen, empress
weak accessory=crown gender=male: prince
weak accessory=crown gender=female outfit=dress: princess
weak accessory=hat age=adult: cowboy, farmer, pirate, chef, cook, detective, baker, gardener
weak age=adult: teacher, nurse, artist, painter, singer, musician, worker, engineer, driver, librarian, explorer, hero, person, human, people, figure, character, neighbour, neighbor
noun=skin takes=skin: skin, skinned, complexion
of=skin skin=pale: pale, fair, porcelain
of=skin skin=light: light
of=skin skin=olive: olive
of=skin skin=tan: tan, tanned
of=skin skin=brown: brown
of=skin skin=dark: dark, black, deep, ebony
noun=hair takes=hairColor without=hairStyle/bald: hair, haired, locks, hairdo, haircut
of=hair hairStyle=long: long, flowing, shoulder length, waist length
of=hair hairStyle=short: short, cropped, spiky, buzzed
of=hair hairStyle=curly: curly, wavy, frizzy, curled
of=hair hairStyle=braids: braided, plaited
noun=curls hairStyle=curly takes=hairColor: curls, afro, ringlets
noun=braids hairStyle=braids takes=hairColor: braids, braid, plaits, plait, pigtails, dreadlocks, cornrows
noun=bun hairStyle=bun takes=hairColor: bun, topknot, top knot, chignon, updo
noun=ponytail hairStyle=ponytail takes=hairColor: ponytail, pony tail
noun=headscarf hairStyle=headscarf takes=outfitColor: headscarf, head scarf, hijab, headcovering
hairStyle=bald: bald, hairless, shaved head, bald headed
hairColor=blond: blondie, fair haired
hairColor=ginger: redhead, red head, redheaded, ginger
hairColor=brown: brunette
noun=eyes takes=eyeColor: eyes, eye, eyed
noun=outfit outfit=t-shirt takes=outfitColor: t shirt, tshirt, tee, tee shirt, tank top, jersey
noun=outfit outfit=shirt takes=outfitColor: shirt, blouse, sweater, jumper, pullover, cardigan, polo, top, vest, waistcoat
noun=outfit outfit=dress takes=outfitColor: dress, gown, skirt, frock, sari, kimono
noun=outfit outfit=hoodie takes=outfitColor: hoodie, hooded sweatshirt, sweatshirt, tracksuit
noun=outfit outfit=coat takes=outfitColor: coat, jacket, overcoat, raincoat, trench coat, trenchcoat, parka, blazer, suit, anorak
noun=outfit outfit=uniform takes=outfitColor: uniform, school uniform, overalls, jumpsuit, spacesuit, space suit, scrubs, apron
noun=outfit outfit=armour takes=outfitColor: armour, armor, chainmail, chain mail, plate armour, plate armor
noun=outfit outfit=lab-coat takes=outfitColor: lab coat, labcoat, white coat, laboratory coat, doctor coat
noun=outfit outfit=robe takes=outfitColor: robe, cloak, cape, tunic, toga, habit, gown of a wizard, dressing gown
noun=outfit takes=outfitColor: clothes, clothing, outfit, costume, dressed, attire, clad
noun=accessory accessory=glasses: glasses, spectacles, eyeglasses, sunglasses, goggles, monocle
noun=accessory accessory=hat: hat, cap, beanie, bonnet, beret, helmet, fedora, top hat, straw hat, baseball cap, cowboy hat, woolly hat
noun=accessory accessory=crown: crown, tiara, diadem, circlet
noun=accessory accessory=scarf: scarf, shawl, bandana, neckerchief
noun=accessory accessory=backpack: backpack, rucksack, school bag, schoolbag, satchel, knapsack
noun=accessory accessory=headphones: headphones, headset, earphones, earmuffs
noun=accessory accessory=wheelchair: wheelchair, wheel chair
expression=happy: happy, smiling, smile, smiles, laughing, laughs, grinning, grin, joyful, cheerful looking, beaming
expression=sad: sad, crying, cries, tearful, unhappy, gloomy, frowning, melancholy, weeping
expression=surprised: surprised, astonished, amazed, shocked, startled, wide eyed
expression=angry: angry, furious, grumpy, scowling, mad, cross, fierce
expression=neutral: neutral, serious, expressionless, blank
personality=brave: brave, courageous, bold, fearless, heroic
personality=kind: kind, friendly, gentle, caring, warm hearted, nice, helpful, good natured
personality=shy: shy, timid, bashful
personality=curious: curious, inquisitive, adventurous
personality=clever: clever, smart, wise, intelligent, brilliant
personality=cheerful: cheerful, jolly, funny, playful, merry, lively
personality=calm: calm, quiet, patient, relaxed
personality=strict: strict, stern, bossy
personality=proud: proud, confident, noble
personality=lazy: lazy, sleepy
personality=mischievous: mischievous, cheeky, naughty, sly
movement=walking: walking, walks, strolling
movement=running: running, runs, jogging
movement=dancing: dancing, dances
movement=jumping: jumping, jumps, leaping, hopping
movement=sitting: sitting, sits, seated
movement=standing: standing, stands
movement=waving: waving, waves
movement=limping: limping, limps, with a limp
movement=slow: slowly, shuffling, shuffles
movement=quick: quickly, hurrying, fast
`

// creatureWords are what descriptions of animals and fabulous beasts say.
const creatureWords = `
noun=species species=cat takes=bodyColor,secondColor: cat, kitten, kitty, tomcat, tabby, lion, lioness, tiger, leopard, panther, cheetah, lynx, puma, jaguar
noun=species species=dog takes=bodyColor,secondColor: dog, puppy, hound, wolf, poodle, terrier, labrador, dalmatian, husky, dachshund, sheepdog, doggy, pup
noun=species species=horse takes=bodyColor,secondColor: horse, pony, foal, mare, stallion, zebra, donkey, mule, colt, deer, cow, camel
noun=species species=fox takes=bodyColor,secondColor: fox, vixen, fennec, raccoon, red panda
noun=species species=bear takes=bodyColor,secondColor: bear, teddy, teddy bear, polar bear, panda, grizzly, koala, cub
noun=species species=rabbit takes=bodyColor,secondColor: rabbit, bunny, hare, guinea pig, hamster, mouse
noun=species species=bird takes=bodyColor,secondColor: bird, parrot, sparrow, robin, eagle, crow, raven, duck, goose, swan, hen, chicken, rooster, penguin, pigeon, dove, seagull, hawk, canary, phoenix, flamingo, peacock
noun=species species=owl takes=bodyColor,secondColor: owl, owlet
noun=species species=fish takes=bodyColor,secondColor: fish, goldfish, shark, whale, dolphin, trout, salmon, clownfish, seahorse, piranha
noun=species species=snake takes=bodyColor,secondColor: snake, serpent, python, cobra, viper, worm, eel
noun=species species=frog takes=bodyColor,secondColor: frog, toad, tadpole, newt, salamander, lizard, gecko
noun=species species=insect takes=bodyColor,secondColor: insect, bee, beetle, butterfly, ladybird, ladybug, ant, dragonfly, moth, bug, wasp, grasshopper, bumblebee, fly, spider
noun=species species=dragon takes=bodyColor,secondColor: dragon, wyvern, dinosaur, drake, dino, t rex, crocodile, alligator
noun=species species=unicorn takes=bodyColor,secondColor: unicorn, pegasus, alicorn
noun=species species=robot takes=bodyColor,secondColor: robot, android, droid, automaton, machine, bot
noun=body takes=bodyColor,secondColor: fur, coat, body, scales, feathers, skin, plumage, shell, furred, furry, scaled, feathered, fluff
noun=belly takes=secondColor: belly, stomach, chest, paws, paw, mane, ears, ear, snout, beak, face, legs, feet, markings, muzzle, crest, back, fins, fin
size=small: small, tiny, little, miniature, mini, wee, minute
size=medium: medium, medium sized, middle sized
size=large: large, big, huge, giant, enormous, gigantic, massive, tall, colossal
noun=wings wings=yes takes=secondColor without=wings/none: wings, wing, winged
of=wings wings=feathered: feathered, feathery, bird
of=wings wings=leathery: leathery, bat
of=wings wings=butterfly: butterfly, fairy, delicate, transparent
wings=none: wingless
noun=horns horns=yes takes=secondColor without=horns/none: horns, horned, antlers, antler
noun=horns horns=one takes=secondColor without=horns/none: horn, one horn, single horn
horns=none: hornless
noun=tail tail=yes takes=secondColor without=tail/none: tail, tailed
of=tail tail=long: long
of=tail tail=short: short, stubby
of=tail tail=bushy: bushy, fluffy, thick
of=tail tail=curly: curly, curled
tail=none: tailless
noun=stripes pattern=striped takes=secondColor without=pattern/plain: stripes, stripe, striped, stripy
noun=spots pattern=spotted takes=secondColor without=pattern/plain: spots, spot, spotted, dots, dotted, polka dots, freckles, speckled, patches, dappled
pattern=plain: plain, uniform, unpatterned
temperament=friendly: friendly, kind, gentle, nice, tame, loving, loyal, cuddly
temperament=fierce: fierce, angry, dangerous, wild, aggressive, scary, mean, evil, ferocious
temperament=shy: shy, timid, nervous, scared
temperament=playful: playful, happy, funny, cheeky, lively, cheerful, energetic
temperament=calm: calm, quiet, sleepy, lazy, peaceful, slow
temperament=clever: clever, wise, smart, cunning, sly
temperament=curious: curious, inquisitive
temperament=brave: brave, bold, proud, noble, majestic
temperament=sad: sad, lonely, gloomy
`
