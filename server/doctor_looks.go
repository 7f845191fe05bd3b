package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"atelier/config"
	"atelier/jobs/mail"
	"atelier/models/egress"
	"atelier/models/media"
)

// settings looks at what is set beside each other.
func (d *doctor) settings(context.Context) (found []finding) {
	const name = "Settings"
	public, err := url.Parse(d.PublicURL)
	local := err == nil && (public.Hostname() == "localhost" || isLoopback(public.Hostname()))
	if err == nil && public.Scheme == "http" && !local {
		found = append(found, wrong(name, "Put a proxy with a certificate in front, and set PUBLIC_URL to its https:// address.",
			"PUBLIC_URL is %s: passwords and cookies travel in the open.", d.PublicURL))
	}
	if host, _, err := net.SplitHostPort(d.ListenAddr); err == nil && local && host != "localhost" && !isLoopback(host) {
		found = append(found, noticed(name, "Set PUBLIC_URL to the address that people open; every link has it.",
			"LISTEN_ADDR %s is open to other machines, and PUBLIC_URL is %s.", d.ListenAddr, d.PublicURL))
	}
	switch {
	case len(d.OperatorEmails) > 0 || !d.withOrganizations():
	case d.OrgAutoApprove:
		found = append(found, noticed(name, "Set PLATFORM_OPERATOR_EMAILS to your address.", "No operator is named: credits are given by no one."))
	default:
		found = append(found, wrong(name, "Set PLATFORM_OPERATOR_EMAILS to your address, or ORG_AUTO_APPROVE.",
			"No operator is named: new organizations wait for approval for ever."))
	}
	if d.Development {
		found = append(found, noticed(name, "Unset DEVELOPMENT where people work.", "DEVELOPMENT shows pages for developers to everyone."))
	}
	if host, _, err := net.SplitHostPort(d.MetricsAddr); err == nil && (host == "" || isUnspecified(host)) {
		found = append(found, noticed(name, "Bind METRICS_ADDR to a private address.", "METRICS_ADDR %s answers on every network, without authentication.", d.MetricsAddr))
	}
	for _, warning := range d.Warnings {
		found = append(found, noticed(name, "Look for a typing error.", "%s", warning))
	}
	if len(found) == 0 {
		found = append(found, well(name, "Nothing is odd; people open %s.", d.PublicURL))
	}
	return found
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

func isUnspecified(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsUnspecified()
}

// fewInodes is the share of inodes below which too few are left.
const fewInodes = 20 // one in so many

// disk looks at the room and the files of DATA_DIR.
func (d *doctor) disk(context.Context) []finding {
	const name = "Disk"
	disk, err := media.DiskOf(d.DataDir)
	if err != nil {
		return []finding{wrong(name, "Create the folder, or set DATA_DIR to the one of the service.", "DATA_DIR cannot be looked at: %v.", err)}
	}
	free := disk.Free
	floor := max(d.DiskFloor, minDisk)
	var found []finding
	switch {
	case free < floor:
		found = append(found, wrong(name, "Delete what is not needed, or make the disk larger.",
			"%s are free where DATA_DIR lies; below %s no file is taken, below %s the database soon cannot write.", size(free), size(floor), size(minDisk)))
	case free < 4*floor:
		found = append(found, noticed(name, "Make the disk larger soon.", "%s are free where DATA_DIR lies.", size(free)))
	default:
		found = append(found, well(name, "%s are free where DATA_DIR lies.", size(free)))
	}
	if disk.Files > 0 && disk.FreeFiles*fewInodes < disk.Files {
		found = append(found, wrong(name, "Move files to a bucket (STORAGE_URL), or to a disk that was made for more of them.",
			"The disk of DATA_DIR has room for %d more files of %d.", disk.FreeFiles, disk.Files))
	}
	if open := openFiles(d.DataDir, "session.key", "encryption.key", "operator.code"); len(open) > 0 {
		found = append(found, wrong(name, "chmod 600 them.", "Other accounts of this machine can read %s in DATA_DIR.", strings.Join(open, ", ")))
	}
	return found
}

// openFiles are those that others than their owner may read.
func openFiles(dir string, names ...string) (open []string) {
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, name)
		}
	}
	return open
}

// storage writes, reads and removes a small file where files lie.
func (d *doctor) storage(ctx context.Context) []finding {
	const name = "Storage"
	do := "Look at the credentials, the bucket and its region in STORAGE_URL; the service reads, writes, lists and deletes there."
	if d.StorageURL == "" {
		do = "Let the service's account write into DATA_DIR/media."
		if _, err := os.Stat(d.DataPath("media")); errors.Is(err, fs.ErrNotExist) {
			return []finding{well(name, "Files will lie in %s.", d.DataPath("media"))}
		}
	}
	began := time.Now()
	if err := tryBucket(ctx, d.Config); err != nil {
		return []finding{wrong(name, do, "Files cannot be kept: %v.", err)}
	}
	where := d.StorageURL
	if u, err := url.Parse(where); err == nil && where != "" {
		where = u.Scheme + "://" + u.Host + u.Path
	}
	return []finding{well(name, "A file was written, read and removed in %d ms (%s).", time.Since(began).Milliseconds(), cmp.Or(where, d.DataPath("media")))}
}

func tryBucket(ctx context.Context, c config.Config) error {
	bucket, err := media.OpenBucket(ctx, c.StorageURL, c.DataDir)
	if err != nil {
		return err
	}
	defer bucket.Close()
	key, content := "doctor/"+rand.Text(), []byte(rand.Text())
	if err := bucket.WriteAll(ctx, key, content, nil); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	has, err := bucket.ReadAll(ctx, key)
	if err == nil && !slices.Equal(has, content) {
		err = errors.New("what was written is not what is read")
	}
	if removed := bucket.Delete(context.WithoutCancel(ctx), key); err == nil && removed != nil {
		err = fmt.Errorf("removing: %w", removed)
	}
	return err
}

// programsOfNodes are what nodes start, with the Debian package and what is missing without them.
var programsOfNodes = []struct {
	names              []string
	packageName, lacks string
}{
	{[]string{"ffmpeg", "ffprobe"}, "ffmpeg", "films and sounds are neither taken nor made"},
	{[]string{"heif-convert", "heif-dec"}, "libheif-examples", "pictures in HEIC are not read"},
	{[]string{"espeak-ng"}, "espeak-ng", "no text is spoken without a provider"},
	{[]string{"pocketsphinx_continuous"}, "pocketsphinx pocketsphinx-en-us", "no speech is written down without a provider"},
	{[]string{"povray"}, "povray", "scenes are drawn by the built-in renderer"},
}

// programs looks for what nodes start. Their descriptors say the same to people who make workflows.
func (d *doctor) programs(context.Context) []finding {
	const name = "Programs"
	var found []finding
	for _, p := range programsOfNodes {
		missing := slices.DeleteFunc(slices.Clone(p.names), func(name string) bool { _, err := exec.LookPath(name); return err == nil })
		if len(missing) == 0 || p.packageName == "libheif-examples" && len(missing) < len(p.names) {
			continue
		}
		found = append(found, noticed(name, "Install the Debian package "+p.packageName+", where workers run.", "%s is not installed: %s.", missing[0], p.lacks))
	}
	if len(found) == 0 {
		found = append(found, well(name, "What nodes start is installed."))
	}
	return found
}

// mail signs in at the mail server, and sends nothing.
func (d *doctor) mail(ctx context.Context) []finding {
	const name = "Mail"
	if d.SMTPURL == nil {
		return []finding{noticed(name, "Set SMTP_URL and MAIL_FROM for mails.", "No mail is sent: people hand over links of invitations and for passwords.")}
	}
	sender, err := mail.NewSender(d.SMTPURL, d.MailFrom)
	if err == nil {
		err = sender.Check(ctx)
	}
	if err != nil {
		return []finding{wrong(name, "Look at SMTP_URL: its host, port, account and password.", "No mail can be sent: %v.", err)}
	}
	return []finding{well(name, "The mail server %s lets the service in.", d.SMTPURL.Host)}
}

// peer is a service outside that the configuration names.
type peer struct{ name, address string }

func (d *doctor) peers() (all []peer) {
	if d.OpenAIAPIKey != "" {
		all = append(all, peer{"OPENAI_BASE_URL", d.OpenAIBaseURL})
	}
	if d.ReplicateAPIToken != "" {
		all = append(all, peer{"REPLICATE_BASE_URL", d.ReplicateBaseURL})
	}
	if d.Payments == config.PaymentsStripe {
		all = append(all, peer{"STRIPE_API_BASE", d.StripeAPIBase})
	}
	for _, p := range d.OIDCProviders {
		all = append(all, peer{"OIDC_PROVIDERS " + p.ID, strings.TrimRight(p.Issuer, "/") + "/.well-known/openid-configuration"})
	}
	return all
}

const (
	peerTime = 8 * time.Second
	// clockOff is by how much the time of peers may differ: those that check signed requests allow minutes.
	clockOff = 30 * time.Second
	// soonOver is how long before its end a certificate should be renewed.
	soonOver = 14 * 24 * time.Hour
)

// network asks peers that are configured whether they are to be reached, and the service itself at its public address.
func (d *doctor) network(ctx context.Context) []finding {
	const name = "Outbound network"
	client := egress.New(egress.Config{Configured: true, Timeout: peerTime}).HTTP()
	peers := d.peers()
	found := make([]finding, len(peers)+1)
	var all sync.WaitGroup
	for n, p := range peers {
		all.Go(func() { found[n] = d.reach(ctx, client, name, p) })
	}
	all.Go(func() { found[len(peers)] = d.reachSelf(ctx, client) })
	all.Wait()
	if len(peers) == 0 {
		found = append(found, hasRoute(name))
	}
	return found
}

// hasRoute asks the system, and sends nothing: a datagram socket is only given an address to send from.
func hasRoute(name string) finding {
	conn, err := net.Dial("udp", "192.0.2.1:443") // of documentation
	if err != nil {
		return noticed(name, "Give the machine a route, unless it is meant to have none.", "This machine has no way out: events reach receivers of this network alone.")
	}
	conn.Close()
	return well(name, "This machine has a way out; no service outside is configured that could be asked.")
}

func (d *doctor) reach(ctx context.Context, client *http.Client, name string, p peer) finding {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address, nil)
	if err != nil {
		return wrong(name, "Correct the address.", "%s: %v.", p.name, err)
	}
	response, err := client.Do(request)
	if err != nil {
		return wrong(name, "Look at the firewall, at DNS, at HTTPS_PROXY, and whether the address is right.", "%s is not reached: %v.", p.name, err)
	}
	response.Body.Close()
	if at, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		if off := time.Since(at); max(off, -off) > clockOff {
			return wrong("Clock", "Let the machine keep time (timedatectl set-ntp true).", "This machine's clock is %s off that of %s.", max(off, -off).Round(time.Second), p.name)
		}
	}
	return well(name, "%s answers.", p.name)
}

// reachSelf asks the service at the address that people open.
func (d *doctor) reachSelf(ctx context.Context, client *http.Client) finding {
	const name = "Public address"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.PublicURL+"/healthz", nil)
	if err != nil {
		return wrong(name, "Correct PUBLIC_URL.", "%v.", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return noticed(name, "Start the service, or look at the proxy; if people reach it there, nothing is to be done.", "Nothing answers at %s from here: %v.", d.PublicURL, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return wrong(name, "Let the proxy pass every path to the service.", "At %s something else answers: /healthz is %d.", d.PublicURL, response.StatusCode)
	}
	if response.TLS != nil && len(response.TLS.PeerCertificates) > 0 {
		if left := time.Until(response.TLS.PeerCertificates[0].NotAfter); left < soonOver {
			return wrong(name, "Renew it.", "The certificate of %s ends in %d days.", d.PublicURL, int(left.Hours()/24))
		}
	}
	return well(name, "The service answers at %s.", d.PublicURL)
}

// backupAge is how old the last backup may be.
const backupAge = 36 * time.Hour

// backups looks when the last one was made.
func (d *doctor) backups(context.Context) []finding {
	const name = "Backup"
	const how = "Have atelier backup run every night, with BACKUP_STAMP."
	at := d.lastBackup()
	switch {
	case d.BackupStamp == "":
		return []finding{noticed(name, how, "It is not known when the last backup was made.")}
	case at == nil:
		return []finding{wrong(name, how, "No backup was made: %s is not there.", d.BackupStamp)}
	case time.Since(*at) > backupAge:
		return []finding{wrong(name, "Look why the last one failed.", "The last backup is of %s.", at.Format(time.RFC3339))}
	}
	return []finding{well(name, "The last backup is of %s.", at.Format(time.RFC3339))}
}
