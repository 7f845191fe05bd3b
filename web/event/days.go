package event

import (
	"context"
	"time"

	"atelier/web/locale"
	"atelier/web/query"
	"atelier/web/ui"
)

// arrivedBars are the deliveries of the last days by what became of them.
func arrivedBars(ctx context.Context, days []query.WebhookDay) ui.BarsProps {
	p := ui.BarsProps{
		ID: "days-arrived", Title: t(ctx, "Deliveries by day"), Unit: t(ctx, "deliveries"),
		Series: []ui.Series{{Name: t(ctx, "Arrived")}, {Name: t(ctx, "Failed")}, {Name: t(ctx, "Waiting"), Hold: true}},
	}
	delivered, ended, sampled := 0, 0, false
	for _, d := range days {
		label, short := dayWords(ctx, d.Date)
		p.Bars = append(p.Bars, ui.Bar{Label: label, Short: short, Values: []float64{float64(d.Delivered), float64(d.Failed), float64(d.Waiting)}})
		delivered, ended, sampled = delivered+d.Delivered, ended+d.Delivered+d.Failed, sampled || d.Sampled
	}
	p.Sentence = arrivedSentence(ctx, delivered, ended)
	if sampled {
		p.Sentence += " " + t(ctx, "Of a day with more than 200 deliveries the last 200 are shown.")
	}
	return p
}

func arrivedSentence(ctx context.Context, delivered, ended int) string {
	if ended == 0 {
		return t(ctx, "No delivery of the last 30 days has ended yet.")
	}
	return tn(
		ctx, "%[2]s of %[1]d delivery of the last 30 days arrived; %[3]d failed.", "%[2]s of %[1]d deliveries of the last 30 days arrived; %[3]d failed.",
		ended, rate(ctx, delivered, ended), ended-delivered,
	)
}

// rate is a share in per cent that is 100 only when all arrived.
func rate(ctx context.Context, good, all int) string {
	return locale.Amount(ctx, float64(1000*good/all)/10) + " %"
}

// latencyRanges are how long receivers took, by day.
func latencyRanges(ctx context.Context, days []query.WebhookDay) ui.RangesProps {
	p := ui.RangesProps{ID: "days-latency", Title: t(ctx, "Time to the answer by day"), Names: [2]string{t(ctx, "half within"), t(ctx, "95 of 100 within")}}
	for _, d := range days {
		label, short := dayWords(ctx, d.Date)
		one := ui.Range{Label: label, Short: short}
		if d.P50Ms != nil && d.P95Ms != nil {
			one.Known, one.Low, one.High = true, ms(*d.P50Ms), ms(*d.P95Ms)
		}
		p.Ranges = append(p.Ranges, one)
	}
	return p
}

// dayWords are a day in full and as short as an axis has room for.
func dayWords(ctx context.Context, date string) (label, short string) {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date, date
	}
	return locale.DayOfYearInFull(ctx, day), locale.DayOfYear(ctx, day)
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
