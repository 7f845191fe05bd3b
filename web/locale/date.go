package locale

import (
	"context"
	"strings"
	"time"
)

// dates is how a language writes days: in the patterns D is the day, M the month in short, MM the whole month, W the
// weekday in short and Y the year.
type dates struct {
	months, shortMonths     [12]string
	weekdays, shortWeekdays [7]string // from Sunday
	day, dayInFull          string    // "D M Y", "D MM Y"
	noYear, noYearInFull    string    // "D M", "D MM"
	noDay                   string    // "MM Y"
}

var (
	englishDates = dates{
		months:        [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		shortMonths:   [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
		weekdays:      [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		shortWeekdays: [7]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
		day:           "D M Y", dayInFull: "D MM Y", noYear: "D M", noYearInFull: "D MM", noDay: "MM Y",
	}
	germanDates = dates{
		months:        [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
		shortMonths:   [12]string{"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."},
		weekdays:      [7]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
		shortWeekdays: [7]string{"So", "Mo", "Di", "Mi", "Do", "Fr", "Sa"},
		day:           "D. M Y", dayInFull: "D. MM Y", noYear: "D. M", noYearInFull: "D. MM", noDay: "MM Y",
	}
	spanishDates = dates{
		months:        [12]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
		shortMonths:   [12]string{"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"},
		weekdays:      [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
		shortWeekdays: [7]string{"dom", "lun", "mar", "mié", "jue", "vie", "sáb"},
		day:           "D M Y", dayInFull: "D de MM de Y", noYear: "D M", noYearInFull: "D de MM", noDay: "MM de Y",
	}
	frenchDates = dates{
		months:        [12]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
		shortMonths:   [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
		weekdays:      [7]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
		shortWeekdays: [7]string{"dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."},
		day:           "D M Y", dayInFull: "D MM Y", noYear: "D M", noYearInFull: "D MM", noDay: "MM Y",
	}
)

func (d dates) write(pattern string, t time.Time) string {
	var b strings.Builder
	for pattern != "" {
		switch {
		case strings.HasPrefix(pattern, "MM"):
			b.WriteString(d.months[t.Month()-1])
			pattern = pattern[1:]
		case pattern[0] == 'M':
			b.WriteString(d.shortMonths[t.Month()-1])
		case pattern[0] == 'D':
			b.WriteString(t.Format("2"))
		case pattern[0] == 'Y':
			b.WriteString(t.Format("2006"))
		default:
			b.WriteByte(pattern[0])
		}
		pattern = pattern[1:]
	}
	return b.String()
}

type zoneKey struct{}

// WithZone is the context of what is written for a reader who lives in that zone; nil when no one knows it.
func WithZone(ctx context.Context, zone *time.Location) context.Context {
	return context.WithValue(ctx, zoneKey{}, zone)
}

// Zone is the reader's zone, nil when no one knows it.
func Zone(ctx context.Context) *time.Location {
	zone, _ := ctx.Value(zoneKey{}).(*time.Location)
	return zone
}

// local is a time in the reader's zone, and what has to be said where that is not known.
func local(ctx context.Context, t time.Time) (in time.Time, utc string) {
	if zone := Zone(ctx); zone != nil {
		return t.In(zone), ""
	}
	return t.UTC(), " UTC"
}

// Moment is how every page writes a time: "22 Nov 2026, 14:05". Where the reader's zone is not known it is UTC, and says so.
func Moment(ctx context.Context, t time.Time) string {
	in, utc := local(ctx, t)
	d := Of(ctx).dates
	return d.write(d.day, in) + in.Format(", 15:04") + utc
}

// Soon is a time of today as the clock shows it, else the moment: "14:05".
func Soon(ctx context.Context, t, now time.Time) string {
	if Day(ctx, t) != Day(ctx, now) {
		return Moment(ctx, t)
	}
	in, utc := local(ctx, t)
	return in.Format("15:04") + utc
}

// Day is a day alone: "22 Nov 2026".
func Day(ctx context.Context, t time.Time) string {
	in, _ := local(ctx, t)
	d := Of(ctx).dates
	return d.write(d.day, in)
}

// DayInFull is a day in a sentence or a letter: "22 November 2026".
func DayInFull(ctx context.Context, t time.Time) string {
	in, _ := local(ctx, t)
	d := Of(ctx).dates
	return d.write(d.dayInFull, in)
}

// MomentInFull is a moment in a letter: "22 November 2026, 14:05".
func MomentInFull(ctx context.Context, t time.Time) string {
	in, utc := local(ctx, t)
	return DayInFull(ctx, t) + in.Format(", 15:04") + utc
}

// DayOfYear is a day whose year is plain, for the axis of a chart: "22 Nov". It is told in the zone that t is in.
func DayOfYear(ctx context.Context, t time.Time) string {
	d := Of(ctx).dates
	return d.write(d.noYear, t)
}

// DayOfYearInFull is the same in a sentence: "22 November".
func DayOfYearInFull(ctx context.Context, t time.Time) string {
	d := Of(ctx).dates
	return d.write(d.noYearInFull, t)
}

// MonthOfYear is a month of a year in a sentence: "November 2026". It is told in the zone that t is in.
func MonthOfYear(ctx context.Context, t time.Time) string {
	d := Of(ctx).dates
	return d.write(d.noDay, t)
}

// Weekday is the name of a day of the week.
func Weekday(ctx context.Context, day time.Weekday) string { return Of(ctx).dates.weekdays[day] }

// ShortWeekday is the name of a day of the week where room is scarce: "Mon".
func ShortWeekday(ctx context.Context, day time.Weekday) string {
	return Of(ctx).dates.shortWeekdays[day]
}

// ShortMonth is the name of a month where room is scarce: "Jan".
func ShortMonth(ctx context.Context, month time.Month) string {
	return Of(ctx).dates.shortMonths[month-1]
}

// Relative says how far t is from now: "12 min ago", "in 3 days", "yesterday". Nothing beyond a month.
func Relative(ctx context.Context, t, now time.Time) string {
	d := now.Sub(t)
	past := d >= 0
	if !past {
		d = -d
	}
	minutes, hours, days := max(1, int(d.Round(time.Minute).Minutes())), int(d.Round(time.Hour).Hours()), int(d.Round(24*time.Hour).Hours()/24)
	switch {
	case d < 45*time.Second:
		return T(ctx, "just now")
	case d < 59*time.Minute+30*time.Second && past:
		return T(ctx, "%d min ago", minutes)
	case d < 59*time.Minute+30*time.Second:
		return T(ctx, "in %d min", minutes)
	case d < 22*time.Hour && past:
		return T(ctx, "%d h ago", hours)
	case d < 22*time.Hour:
		return T(ctx, "in %d h", hours)
	case d < 36*time.Hour && past:
		return T(ctx, "yesterday")
	case d < 36*time.Hour:
		return T(ctx, "tomorrow")
	case d < 30*24*time.Hour && past:
		return T(ctx, "%d days ago", days)
	case d < 30*24*time.Hour:
		return T(ctx, "in %d days", days)
	}
	return ""
}
