package event

import (
	"strconv"
	"time"

	"atelier/web/query"
	"atelier/web/ui"
)

// arrivedBars are the deliveries of the last days by what became of them.
func arrivedBars(days []query.WebhookDay) ui.BarsProps {
	p := ui.BarsProps{
		ID: "days-arrived", Title: "Deliveries by day", Unit: "deliveries",
		Series: []ui.Series{{Name: "Arrived"}, {Name: "Failed"}, {Name: "Waiting", Hold: true}},
	}
	delivered, ended, sampled := 0, 0, false
	for _, d := range days {
		label, short := dayWords(d.Date)
		p.Bars = append(p.Bars, ui.Bar{Label: label, Short: short, Values: []float64{float64(d.Delivered), float64(d.Failed), float64(d.Waiting)}})
		delivered, ended, sampled = delivered+d.Delivered, ended+d.Delivered+d.Failed, sampled || d.Sampled
	}
	p.Sentence = arrivedSentence(delivered, ended)
	if sampled {
		p.Sentence += " Of a day with more than 200 deliveries the last 200 are shown."
	}
	return p
}

func arrivedSentence(delivered, ended int) string {
	if ended == 0 {
		return "No delivery of the last 30 days has ended yet."
	}
	return rate(delivered, ended) + " of " + ui.Plural(ended, "delivery", "deliveries") + " of the last 30 days arrived; " + ui.Count(ended-delivered) + " failed."
}

// rate is a share in per cent that is 100 only when all arrived.
func rate(good, all int) string {
	return strconv.FormatFloat(float64(1000*good/all)/10, 'f', -1, 64) + " %"
}

// latencyRanges are how long receivers took, by day.
func latencyRanges(days []query.WebhookDay) ui.RangesProps {
	p := ui.RangesProps{ID: "days-latency", Title: "Time to the answer by day", Names: [2]string{"half within", "95 of 100 within"}}
	for _, d := range days {
		label, short := dayWords(d.Date)
		one := ui.Range{Label: label, Short: short}
		if d.P50Ms != nil && d.P95Ms != nil {
			one.Known, one.Low, one.High = true, ms(*d.P50Ms), ms(*d.P95Ms)
		}
		p.Ranges = append(p.Ranges, one)
	}
	return p
}

// dayWords are a day in full and as short as an axis has room for.
func dayWords(date string) (label, short string) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date, date
	}
	return t.Format("2 January"), t.Format("2 Jan")
}

// anyDay tells whether there was something to send in the last days.
func anyDay(days []query.WebhookDay) bool {
	for _, d := range days {
		if d.Delivered+d.Failed+d.Waiting > 0 {
			return true
		}
	}
	return false
}

func anyArrived(days []query.WebhookDay) bool {
	for _, d := range days {
		if d.Delivered > 0 {
			return true
		}
	}
	return false
}
