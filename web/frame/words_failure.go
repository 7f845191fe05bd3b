package frame

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"atelier/web/locale"
)

// predicateSayings are what refusals say of one field, behind its name. {Subject} is the field.
var predicateSayings = sayings(
	`must be an e-mail address`, "{Subject} must be an e-mail address.",
	`must be a domain such as example\.com`, "{Subject} must be a domain such as example.com.",
	`must have a domain of plain letters: write it in the form that its owner registered`, "{Subject} must have a domain of plain letters: write it as its owner registered it.",
	`has an account already`, "{Subject} has an account already.",
	`is your address already`, "{Subject} is the one that you have already.",
	`is not your address`, "{Subject} is not your address.",
	`is not your password`, "{Subject} is not your password.",
	`must have at least (\d+) characters`, "{Subject} must have at least $1 characters.",
	`must be at most (\d+) characters(?: long)?`, "{Subject} must be at most $1 characters long.",
	`must be at most (\d+) bytes(?: long)?`, "{Subject} must be at most $1 bytes long.",
	`must be at most (\d+) KiB`, "{Subject} must be at most $1 KiB.",
	`must have (\d+) to (\d+) characters(?: each)?`, "{Subject} must have $1 to $2 characters.",
	`must be at most (-?[\d.,]+)`, "{Subject} must be at most $1.",
	`must be at least (-?[\d.,]+)`, "{Subject} must be at least $1.",
	`must be between (-?[\d.,]+) and (-?[\d.,]+)`, "{Subject} must be between $1 and $2.",
	`must be between (\d+) and (\d+) seconds`, "{Subject} must be between $1 and $2 seconds.",
	`must be (?:a whole number )?(?:from )?(-?[\d.,]+) to (-?[\d.,]+)(?:, or null)?`, "{Subject} must be from $1 to $2.",
	`(?:must be more than 0|must be a number above 0)`, "{Subject} must be more than 0.",
	`must not be empty`, "{Subject} must not be empty.",
	`is empty`, "{Subject} is empty.",
	`is required`, "{Subject} is required.",
	`must be a text`, "{Subject} must be a text.",
	`must be a number`, "{Subject} must be a number.",
	`must be a whole number`, "{Subject} must be a whole number.",
	`must be true or false`, "{Subject} must be true or false.",
	`must be a list`, "{Subject} must be a list.",
	`must be an object`, "{Subject} must be an object with fields.",
	`must have at least one entry`, "{Subject} must have at least one entry.",
	`must have at least (\d+) entries`, "{Subject} must have at least $1 entries.",
	`must have at most (\d+) entries`, "{Subject} must have at most $1 entries.",
	`must be one of (.+?)`, "{Subject} must be one of $1.",
	`must be (?:the name of )?a time zone,? such as Europe/Berlin`, "{Subject} must be the name of a time zone, such as Europe/Berlin.",
	`must start with https://`, "{Subject} must start with https://.",
	`must start with https://, or be the address of a file of this service`, "{Subject} must start with https://, or be the address of a file of this service.",
	`must be a web address`, "{Subject} must be a web address.",
	`must be the address of a file, such as (\S+)`, "{Subject} must be the address of a file, such as $1.",
	`must not hold a user name or password`, "{Subject} must not hold a user name or a password.",
	`must have a port between 1 and 65535`, "{Subject} must have a port between 1 and 65535.",
	`must have a valid host`, "{Subject} must name a host that can exist.",
	`must name a host on the public internet`, "{Subject} must name a host on the public internet.",
	`must write an IP address in its usual form`, "{Subject} must write an IP address in its usual form.",
	`(?:must write its host in plain letters|must not hold an encoded host)`, "{Subject} must name its host in plain letters.",
	`must not hold blanks, backslashes or control characters`, "{Subject} must not hold blanks, backslashes or control characters.",
	`must not hold characters that cannot be seen`, "{Subject} must not hold characters that cannot be seen.",
	`must hold a letter or a number`, "{Subject} must hold a letter or a number.",
	`must be valid UTF-8`, "{Subject} holds characters that cannot be read.",
	`must be one line`, "{Subject} must be one line.",
	`is taken(?: in this \w+)?`, "{Subject} is taken. Choose another.",
	`is registered already`, "{Subject} is registered already.",
	`must be in the future`, "{Subject} must lie in the future.",
	`must be in the future, and at most ten years ahead`, "{Subject} must lie in the future, at most ten years ahead.",
	`must be at most (\d+) days away`, "{Subject} must be at most $1 days away.",
	`must be later than the beginning`, "{Subject} must be later than the beginning.",
	`must not be after to`, "{Subject} must not be after the last one.",
	`must be a day that exists, written YYYY-MM-DD`, "{Subject} must be a day that exists, written YYYY-MM-DD.",
	`must be a colour such as (#[0-9a-f]+)(?:, or .*)?`, "{Subject} must be a colour such as $1.",
	`must be (?:a BCP 47 tag|a tag|the tag) ?(?:of a language)?,? such as (?:en or pt-BR|de)`, "{Subject} must be the tag of a language, such as en or pt-BR.",
	`must have 2 to 30 of the characters a-z, 0-9 and _`, "{Subject} must have 2 to 30 of the characters a-z, 0-9 and underscore.",
	`is wrong, or was used already\. Wait for the next one`, "{Subject} is wrong, or was used already. Wait for the next one.",
	`did not fit\. Try once more, or use a code`, "{Subject} did not fit. Try once more, or use a code.",
	`answered too late\. Try once more`, "{Subject} answered too late. Try once more.",
	`may have been copied, and is accepted no more\. Use a code, delete it, and add a new one`, "{Subject} may have been copied, and is accepted no more. Use a code, delete it, and add a new one.",
	`is no image that can be read(?:: .*)?`, "{Subject} is no picture that can be read.",
	`cannot be made small enough; choose another one`, "{Subject} cannot be made small enough. Choose another one.",
	`leads to no file of this service`, "{Subject} leads to no file of this service.",
	`must be a sound(?: that can be played)?`, "{Subject} must be a sound that can be played.",
	`must last from (\d+) to (\d+) seconds`, "{Subject} must last from $1 to $2 seconds.",
	`must last at most (\d+) seconds`, "{Subject} must last at most $1 seconds.",
	`is required: a sound of (\d+) to (\d+) seconds`, "{Subject} is required: a sound of $1 to $2 seconds.",
	`must be the name of a header: letters, digits and hyphens, without blanks`, "{Subject} must be the name of a header: letters, digits and hyphens, without blanks.",
	`must be one line of letters, digits and signs of ASCII`, "{Subject} must be one line of letters, digits and signs of ASCII.",
	`must not begin or end with a blank`, "{Subject} must not begin or end with a blank.",
	`must be a number of credits from 0 to (\S+)`, "{Subject} must be a number of credits from 0 to $1.",
	`must be a number from 0 to 100 with at most two decimals`, "{Subject} must be a number from 0 to 100 with at most two decimals.",
	`must say what the credits are for`, "{Subject} must say what the credits are for.",
	`is nothing that this list can be sorted by`, "This list cannot be sorted by that.",
	`is not one that this list gave out`, "This place in the list is not there any more. Begin at its top.",
	`has nothing that a card can show`, "{Subject} has nothing that a card can show.",
	`has letters that a card cannot show: (.+)\. Latin, Greek and Cyrillic letters work`, "{Subject} has letters that a card cannot show: $1. Latin, Greek and Cyrillic letters work.",
	`has nothing to say`, "{Subject} has nothing to say.",
	`cannot be read: choose a PNG, JPEG, GIF or WebP`, "{Subject} cannot be read. Choose a PNG, JPEG, GIF or WebP.",
	`has too many pixels: at most (\d+) megapixels work`, "{Subject} has too many pixels: at most $1 megapixels work.",
	`takes too much time or memory to read: save it again as PNG or as a plain JPEG, or make it smaller`, "{Subject} takes too much time or memory to read. Save it again as PNG or as a plain JPEG, or make it smaller.",
	`tells where or by whom it was taken, and that cannot be taken out: save it again, as MP4 or MP3`, "{Subject} tells where or by whom it was taken, and that cannot be taken out. Save it again, as MP4 or MP3.",
	`must be after start`, "{Subject} must be after the start.",
	`must be much darker or lighter than background, or nothing can read the code`, "{Subject} must be much darker or lighter than the background, or nothing can read the code.",
	`is no regular expression: (.+?)`, "{Subject} is no regular expression: $1.",
	`is no jq expression: (.+?)`, "{Subject} is no jq expression: $1.",
	`is no condition: (.+?)`, "{Subject} is no condition: $1.",
)

// failureSayings are why steps of runs fail, and what can be done about it. {Kind} is the kind of file that $1 names.
var failureSayings = sayings(
	`The text is too long for a card`, "The text is too long for a card.",
	`At most (\d+) characters fit`, "At most $1 characters fit.",
	`The caption is too long for a line`, "The caption is too long for a line.",
	`Shorten it, or put it into the text`, "Shorten it, or put it into the text.",
	`Shorten it, or use several cards`, "Shorten it, or use several cards.",
	`Shorten it, or choose less correction`, "Shorten it, or choose less correction.",
	`The text is too long for a QR code`, "The text is too long for a QR code.",
	`The code needs at least (\d+) pixels`, "The code needs at least $1 pixels.",
	`Choose a larger size, or a shorter text`, "Choose a larger size, or a shorter text.",
	`The text is too long to be spoken`, "The text is too long to be spoken.",
	`The text could not be spoken`, "The text could not be spoken.",
	`Change the text, or choose another voice`, "Change the text, or choose another voice.",
	`The text became longer than 1 MiB`, "The text became longer than 1 MiB.",
	`The text has more than (\d+) pieces`, "The text has more than $1 pieces.",
	`Cut a shorter text, or cut it elsewhere`, "Cut a shorter text, or cut it elsewhere.",
	`The separator is empty`, "The separator is empty.",
	`Write the separator at which to cut`, "Write the separator at which to cut.",
	`There is no piece (\d+), only (\d+)`, "There is no piece $1, only $2.",
	`The script is longer than (\d+) characters`, "The script is longer than $1 characters.",
	`The script needs (\d+) shots, and (\d+) is the most`, "The script needs $1 shots, and $2 is the most.",
	`Break it down in parts`, "Break it down in parts.",
	`Neither width nor height is given`, "Neither width nor height is given.",
	`Give a width, a height or both`, "Give a width, a height or both.",
	`The box lies outside the image of (\d+) × (\d+) pixels`, "The box lies outside the image of $1 × $2 pixels.",
	`Choose a smaller left and top`, "Choose a smaller left and top.",
	`The address of the file is not valid`, "The address of the file is not valid.",
	`The address of a file must start with https://`, "The address of a file must start with https://.",
	`Upload the file, or use an https address`, "Upload the file, or use an https address.",
	`(?:Upload the file, or use an https address on a public host|Use an https address on a public host)`, "Upload the file, or use an https address on a public host.",
	`(?:Upload the file, or check that its address opens without signing in|Check that its address opens without signing in, or upload the file)`, "Check that its address opens without signing in, or upload the file.",
	`Upload it again, or choose another file`, "Upload it again, or choose another file.",
	`It was deleted, or its address is incomplete\. Upload it again`, "It was deleted, or its address is incomplete. Upload it again.",
	`The (image|video|audio|sound|file|model) is too large`, "{Kind} is too large.",
	`The (image|video|audio|sound|file|model) is empty`, "{Kind} is empty.",
	`The (image|video|audio|sound|file|model) was not found`, "{Kind} was not found.",
	`The (image|video|audio|sound|file|model) could not be opened: (.+?)`, "{Kind} could not be opened: $2.",
	`The (image|video|audio|sound|file|model) could not be processed`, "{Kind} could not be processed.",
	`The (image|video|audio|sound|file|model) takes too long to process`, "{Kind} takes too long to process.",
	`The (image|video|audio|sound|file|model) is longer than (\d+) minutes`, "{Kind} is longer than $2 minutes.",
	`The (image|video|audio|sound|file|model) of the provider could not be fetched whole`, "What the provider made could not be fetched whole.",
	`There is no (?:image|video|audio|sound|file|model) to work on`, "There is no file to work on.",
	`Connect a node that yields one, or choose a file`, "Connect a node that yields one, or choose a file.",
	`Use a smaller file`, "Use a smaller file.",
	`Use a smaller image(?:, or save it as JPEG)?`, "Use a smaller picture, or save it as JPEG.",
	`Use a shorter (?:one|or smaller one)`, "Use a shorter or smaller one.",
	`Use one of at most (\d+) × (\d+) pixels`, "Use one of at most $1 × $2 pixels.",
	`The file of the image is too large: at most (\d+) MiB work`, "The file of the picture is too large: at most $1 MiB work.",
	`The image cannot be read \((.+)\)`, "The picture cannot be read ($1).",
	`The image takes too much time or memory to read`, "The picture takes too much time or memory to read.",
	`Save it again as PNG or as a plain JPEG, or make it smaller`, "Save it again as PNG or as a plain JPEG, or make it smaller.",
	`It may be damaged or cut off`, "It may be damaged or cut off.",
	`It may be damaged, cut off or in a form that this service does not read\. Save it again, as MP4, MP3 or PNG, and try again`, "It may be damaged, cut off or in a form that this service does not read. Save it again, as MP4, MP3 or PNG, and try again.",
	`The file is empty`, "The file is empty.",
	`The file is too large`, "The file is too large.",
	`The file holds no sound`, "The file holds no sound.",
	`(?:The file holds no video|The video has no pictures)`, "The file holds no video.",
	`The file is no sound but (.+?)`, "The file is no sound but $1.",
	`The file is no 3D model but (.+?)`, "The file is no 3D model but $1.",
	`The file is not (?:an?|the)? ?(.+) but (.+?)`, "The file is of another kind: it is $2.",
	`GLB works, and glTF with everything inside`, "GLB works, and glTF with everything inside.",
	`MP3, WAV, Ogg, FLAC, M4A, MP4 and WebM work`, "MP3, WAV, Ogg, FLAC, M4A, MP4 and WebM work.",
	`Use a sound, or a video that has one`, "Use a sound, or a video that has one.",
	`Give the address of the file itself, not of a page that shows it`, "Give the address of the file itself, not of a page that shows it.",
	`The address does not lead to a video but to (.+?)`, "The address does not lead to a video but to $1.",
	`The address answered with status (\d+)`, "The address answered with status $1.",
	`The address cannot be used`, "The address cannot be used.",
	`The video is longer than (\d+) seconds`, "The video is longer than $1 seconds.",
	`The video is ([\d.]+) seconds long`, "The video is $1 seconds long.",
	`It is ([\d.]+) seconds long`, "It is $1 seconds long.",
	`It is ([\d.]+) seconds long\. Cut it first`, "It is $1 seconds long. Cut it first.",
	`The video has no picture at ([\d.]+) seconds`, "The video has no picture at $1 seconds.",
	`The video has (\d+) × (\d+) pixels, which is too large`, "The video has $1 × $2 pixels, which is too large.",
	`The sound is over after ([\d.]+) seconds`, "The sound is over after $1 seconds.",
	`Begin earlier`, "Begin earlier.",
	`Together the videos are longer than (\d+) minutes`, "Together the videos are longer than $1 minutes.",
	`Clip (\d+) begins after the end of its video`, "Clip $1 begins after the end of its video.",
	`The audio begins after its end`, "The sound begins after its end.",
	`The overlay would begin after the end of the video`, "The overlay would begin after the end of the video.",
	`The table has more than (\d+) rows`, "The table has more than $1 rows.",
	`The table has more than (\d+) columns`, "The table has more than $1 columns.",
	`The table cannot be read: a quotation mark is out of place in line (\d+)`, "The table cannot be read: a quotation mark is out of place in line $1.",
	`Cut it into smaller ones`, "Cut it into smaller ones.",
	`The data is no JSON(?:: it goes wrong at character (\d+))?`, "The data is no JSON.",
	`The data is larger than 8 MiB`, "The data is larger than 8 MiB.",
	`Connect an object, a list, or a text that holds JSON`, "Connect an object, a list, or a text that holds JSON.",
	`No face was found(?: at this point)?`, "No face was found.",
	`There is no character`, "There is no character.",
	`Choose one of the library`, "Choose one of the library.",
	`(\S.*) is busy or cannot be reached`, "$1 is busy or cannot be reached.",
	`Run it again later`, "Run it again later.",
	`(?:Run it again, or choose another model|Nothing was charged\. Run it again, or choose another model)`, "Nothing was charged. Run it again, or choose another model.",
	`Nothing was charged\. Run it again`, "Nothing was charged. Run it again.",
	`Nothing was charged\. Run it again later`, "Nothing was charged. Run it again later.",
	`Nothing was charged\. Change the prompt or the settings, and run it again`, "Nothing was charged. Change the prompt or the settings, and run it again.",
	`Change the prompt, the model or the settings, and run it again`, "Change the prompt, the model or the settings, and run it again.",
	`(\S.*) refused this install's key, or its account has no credit left`, "$1 refused the key of this install, or its account has no credit left.",
	`The operator must look at \S+`, "Ask the operator of this install to look at it.",
	`(\S.*) refused the request(?:: (.+))?`, "$1 refused the request.",
	`(\S.*) failed \(status (\d+)\)(?:: .+)?`, "$1 failed (status $2).",
	`(\S.*) did not finish within (\d+) minutes`, "$1 did not finish within $2 minutes.",
	`Nothing was charged\. Should the result still come, the job completes with it`, "Nothing was charged. Should the result still come, the job completes with it.",
	`(?:The answer of (.+?) cannot be used(?:: .+)?|The result of (.+) cannot be read)`, "The answer of the provider cannot be used.",
	`It is uncertain whether (.+) did the work: its answer was lost`, "It is uncertain whether $1 did the work: its answer was lost.",
	`No answer came within (\d+) seconds`, "No answer came within $1 seconds.",
	`The receiver could not be reached`, "The receiver could not be reached.",
	`The receiver answered with status (\d+)`, "The receiver answered with status $1.",
	`The answer was cut off, or took too long`, "The answer was cut off, or took too long.",
	`Check the URL in the node's settings: its host must exist and answer on a public https address with a valid certificate`, "Check the URL in the node's settings: its host must exist and answer on a public https address with a valid certificate.",
	`Correct the URL in the node's settings`, "Correct the URL in the node's settings.",
	`Choose a credential in the node's settings`, "Choose a credential in the node's settings.",
	`The credential does not exist any more`, "The credential does not exist any more.",
	`No provider of this install does this work`, "No provider of this install does this work.",
	`(\S+) is not installed on this server`, "$1 is not installed on this server.",
	`The node did not finish within (\d+) minutes`, "The step did not finish within $1 minutes.",
	`The work was cut off (\d+) times on the service's side`, "The work was cut off $1 times on our side.",
	`Use a smaller input(?: or lower settings, then run it again|, or run it again later)`, "Use a smaller input, or run it again later.",
	`The node's result cannot be stored`, "The result of the step cannot be stored.",
	`Work on less at once, or cut it into parts before`, "Work on less at once, or cut it into parts before.",
	`The result could not be kept: there is no room for more files`, "The result could not be kept: there is no room for more files.",
	`The step was cut off while it was sending, and is not sent twice`, "The step was cut off while it was sending, and is not sent twice.",
	`Change the node's settings, or what is connected to it, and run it again`, "Change the node's settings, or what is connected to it, and run it again.",
	`Change its settings and run it again`, "Change its settings and run it again.",
	`Nothing was charged\. Make it smaller, or leave something out`, "Nothing was charged. Make it smaller, or leave something out.",
	`Nothing was charged\. Use a simpler model, or a smaller picture`, "Nothing was charged. Use a simpler model, or a smaller picture.",
	`Nothing was charged\. Use quality draft, fewer pictures or a simpler model`, "Nothing was charged. Use the quality draft, fewer pictures or a simpler model.",
	`(?:The model takes too long to draw|The animation takes too long to draw|The render takes too long|The turntable takes too long)`, "To draw it takes too long.",
	`Save it as GLB, uncompressed and with everything inside`, "Save it as GLB, uncompressed and with everything inside.",
	`Nothing was charged\. Ask again, or (?:use the helper without a provider|use the provider local|break the script down without a provider)`, "Nothing was charged. Try it again, or do it without a provider outside.",
	`(?:The model's (?:answer|scene) does not fit: .+|The model's answer is no scene)`, "The answer of the model does not fit.",
	`(?:The provider's result is no .+|The provider's picture cannot be read)`, "What the provider made cannot be used.",
	`(\S.*) ended the (?:work|training) as (?:\S+)(?:: .+)?`, "$1 ended the work without a result.",
	`(\S.*) does not know the work any more(?:: .+)?`, "$1 does not know the work any more.",
	`The recordings? (?:is|are) not there any more`, "The recording is not there any more.",
	`Send (?:it|them) again`, "Send it again.",
	`The table becomes larger than 6 MiB`, "The table becomes larger than 6 MiB.",
	`Cut it into smaller ones, or shorten the names of its columns`, "Cut it into smaller ones, or shorten the names of its columns.",
	`Use fewer or shorter texts`, "Use fewer or shorter texts.",
	`Use shorter texts, or show them in fewer places`, "Use shorter texts, or show them in fewer places.",
	`The timeline is longer than (\d+) minutes`, "The timeline is longer than $1 minutes.",
	`(?:(?:Use|Ask for) less (?:of it )?at once(?:, for example for a page of a list)?|Try again, or ask for less at once)`, "Try it with less at once.",
	`The answer is larger than 1 MiB`, "The answer is larger than 1 MiB.",
	`The answer is packed in a way that cannot be read`, "The answer is packed in a way that cannot be read.",
	`The credential is locked to another address`, "The credential is locked to another address.",
	`Use the address that the credential is locked to, or another credential`, "Use the address that the credential is locked to, or another credential.",
	`The credential is sent only in runs that its owner starts personally, and this is none`, "The credential is sent only in runs that its owner starts personally, and this is none.",
	`The key of the credential cannot be read on this install`, "The key of the credential cannot be read on this install.",
	`Type its value again`, "Type its value again.",
	`The receiver must answer sooner; work that takes longer it can begin and answer at once`, "The receiver must answer sooner; work that takes longer it can begin and answer at once.",
	`Look at the receiver, and run the workflow again if nothing arrived`, "Look at the receiver, and run the workflow again if nothing arrived.",
	`(\S.*) shows a person whose consent keeps the pictures on this install`, "$1 shows a person whose consent keeps the pictures on this install.",
	`Use provider local, or leave it out`, "Use the provider local, or leave it out.",
	`Nothing was charged\. Run it again if the result is still needed; it was not sent a second time by itself`, "Nothing was charged. Run it again if the result is still needed; it was not sent a second time by itself.",
	`There is nothing to ask for`, "There is nothing to ask for.",
	`There are no pictures to learn from`, "There are no pictures to learn from.",
	`Add pictures, and train again`, "Add pictures, and train again.",
	`Nothing was charged\. Look at the pictures, and train again`, "Nothing was charged. Look at the pictures, and train again.",
	`Nothing was charged\. Faces must look into the camera, and be large enough`, "Nothing was charged. Faces must look into the camera, and be large enough.",
	`The sound is too long for a shot`, "The sound is too long for a shot.",
	`The local provider understands English alone`, "The local provider understands English alone.",
	`No thing of the prompt is known here`, "No thing of the prompt is known here.",
	`The animation cannot be drawn`, "The animation cannot be drawn.",
	`The animation (?:is too large with its texts filled in|has too much text for a film)`, "The animation has too much text.",
	`(?:There is no such node type any more|There is no node type .+)`, "There is no such kind of step any more.",
	`Remove the node from the workflow`, "Remove the node from the workflow.",
)

// fileKinds are what nodes call the kinds of files, as the subject of a sentence.
var fileKinds = map[string]string{
	"image": mark("The picture"), "video": mark("The video"), "audio": mark("The sound"), "sound": mark("The sound"),
	"model": mark("The model"), "file": mark("The file"),
}

// settingName is the name of a setting of a node, as a refusal of it begins.
var settingName = regexp.MustCompile(`^[a-z][\w.\[\]]*$`)

// addressRefused is how a failure begins that an address is the cause of.
var addressRefused = regexp.MustCompile(`^(The request was not sent|The (?:image|video|audio|sound|file|model) could not be opened): its address `)

// FailureIn is why a step failed, what can be done about it, or what it warns of, in the reader's language; label is what
// the page calls a setting of the step. A sentence that is not known stays as the service said it.
func FailureIn(ctx context.Context, message string, label func(setting string) string) string {
	said, _ := failureIn(ctx, message, label)
	return said
}

// WhyIn is FailureIn, also for a run that did not start because it was refused.
func WhyIn(ctx context.Context, message string, label func(setting string) string) string {
	said, known := failureIn(ctx, message, label)
	if known {
		return said
	}
	if refused, known := wholeRefusalIn(ctx, "", message); known {
		return SentenceCase(locale.Fill(ctx, refused, locale.Place{}))
	}
	return said
}

func failureIn(ctx context.Context, message string, label func(setting string) string) (said string, known bool) {
	if begins := addressRefused.FindString(message); begins != "" {
		if said, known := predicateIn(ctx, message[len(begins):], t(ctx, "The address")); known {
			return said, true
		}
	}
	for _, list := range [][]saying{stepFailures, failureSayings} {
		if said, known := saidBy(ctx, list, message); known {
			return said, true
		}
	}
	name, rest, _ := strings.Cut(message, " ")
	if settingName.MatchString(name) {
		if said, known := predicateIn(ctx, rest, t(ctx, "“%s”", label(name))); known {
			return said, true
		}
	}
	return message, false
}

// PredicateIn is what the service says of a part of a workflow, such as "must be a number", with its subject; known is false
// for what has no words here.
func PredicateIn(ctx context.Context, rest, subject string) (said string, known bool) {
	for _, list := range [][]saying{graphSayings, predicateSayings, fieldSayings} {
		if said, known = saidBy(ctx, list, rest); known {
			return strings.ReplaceAll(said, "{Subject}", subject), true
		}
	}
	return "", false
}

// predicateIn is what a refusal says of a field in the reader's language; without a subject the page names it itself.
func predicateIn(ctx context.Context, rest, subject string) (said string, known bool) {
	for _, list := range [][]saying{predicateSayings, graphSayings, fieldSayings} {
		if said, known = saidBy(ctx, list, rest); known {
			break
		}
	}
	if known && subject == "" {
		said = strings.ReplaceAll(nameless.ReplaceAllString(said, ""), "{Subject}", t(ctx, "This"))
	}
	return SentenceCase(strings.ReplaceAll(said, "{Subject}", subject)), known
}

// nameless is the subject at the beginning of a sentence that goes without one.
var nameless = regexp.MustCompile(`^\{Subject\}[ \x{a0}]?:? `)

// saidBy is what the first saying that fits a message says.
func saidBy(ctx context.Context, list []saying, message string) (said string, known bool) {
	for _, s := range list {
		pattern := s.said()
		if !strings.Contains(message, pattern.holds) {
			continue
		}
		found := pattern.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		say := locale.Pattern(ctx, s.say)
		if strings.Contains(say, "{Kind}") {
			say = strings.ReplaceAll(say, "{Kind}", locale.Pattern(ctx, fileKinds[found[1]]))
		}
		if strings.Contains(say, "{noun}") {
			say = strings.ReplaceAll(say, "{noun}", strings.ToLower(found[1]))
		}
		if strings.Contains(say, "{Why}") {
			say = strings.ReplaceAll(say, "{Why}", WhyUnusable(ctx, found[len(found)-1]))
		}
		return parts.ReplaceAllStringFunc(say, func(part string) string {
			if n := int(part[1] - '0'); n < len(found) {
				return partSaid(ctx, found[n])
			}
			return ""
		}), true
	}
	return "", false
}

// parts of what the service said, within what is said to people.
var parts = regexp.MustCompile(`\$\d`)

var (
	decimal = regexp.MustCompile(`^\d+\.\d+$`)
	size    = regexp.MustCompile(`^(\d+(?:\.\d+)?) (bytes|kB|MB|GB|TB)$`)
)

// partSaid is a part of what the service said: numbers with decimals, and sizes, are written as the reader's language writes
// them.
func partSaid(ctx context.Context, part string) string {
	if n, err := strconv.ParseFloat(part, 64); err == nil && decimal.MatchString(part) {
		return locale.Amount(ctx, n)
	}
	return SizeIn(ctx, part)
}

// sizeUnits are those in which the service tells operators how large something is.
var sizeUnits = []string{markc("size", "bytes"), markc("size", "kB"), markc("size", "MB"), markc("size", "GB"), markc("size", "TB")}

// SizeIn is a size that the service says, such as 3.2 GB, as the reader's language writes it.
func SizeIn(ctx context.Context, said string) string {
	found := size.FindStringSubmatch(said)
	if found == nil {
		return said
	}
	n, _ := strconv.ParseFloat(found[1], 64)
	return locale.Amount(ctx, n) + " " + tc(ctx, "size", sizeUnits[slices.Index(sizeUnits, found[2])])
}

// Sayings are what people read for what the service says, in pairs: an expression, and the sentence with its parts as $1, $2
// and so on. The first that fits counts.
type Sayings []saying

// SayingsOf makes sayings of pairs.
func SayingsOf(pairs ...string) Sayings { return sayings(pairs...) }

// In is a sentence of the service in the reader's language; one that is not known stays as it is.
func (s Sayings) In(ctx context.Context, message string) string {
	said, known := saidBy(ctx, s, message)
	if !known {
		return message
	}
	return said
}

// failsAgain are the steps out of failures of what was put in: to go on from there only fails again.
var failsAgain = regexp.MustCompile(`^(Change (the node's|its) settings|Shorten|Choose a|Use (a|an|one|fewer|less)\b|Cut |Write |Give |Connect |Correct |Save |Begin |Break |Add pictures|Try it with less|Ask for less|Upload |At most |The video is |It is |GLB works|MP3, WAV)`)

// FailsAgain tells by the hint of a failure whether the same inputs can only fail again.
func FailsAgain(hint string) bool {
	return failsAgain.MatchString(hint) && !strings.Contains(hint, "later") && !strings.Contains(hint, "credential")
}

// InputHint is the hint of a step whose settings were refused.
const InputHint = "Change the node's settings, or what is connected to it, and run it again."
