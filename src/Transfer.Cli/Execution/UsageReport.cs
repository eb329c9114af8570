using System.Globalization;
using Microsoft.Extensions.Logging;
using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Execution;

/// <summary>What a command has sent with all of its clients, and what the plan of a dry run would send in addition.</summary>
internal sealed class UsageReport
{
    private readonly List<Func<StoreUsage>> _clients = [];
    private StoreUsage? _planned;

    /// <summary>Gets or sets the prices of the store; null if they aren't known.</summary>
    public StorePrices? Prices { get; set; }

    /// <summary>Gets or sets a value that indicates whether the summary says what was sent.</summary>
    public bool IsLimited { get; set; }

    /// <summary>Gets what was sent so far.</summary>
    public StoreUsage Sent => _clients.Aggregate(default(StoreUsage), static (sum, client) => sum + client());

    /// <summary>Gets what a run like this dry run sends: what the dry run itself has sent, and what its actions take. Null if there is no plan.</summary>
    public StoreUsage? Estimate => _planned is { } planned ? Sent + planned : null;

    /// <summary>Counts the requests of a client.</summary>
    public void Add(TransferClient client) => _clients.Add(() => client.Usage);

    /// <summary>Adds the requests of a planned action.</summary>
    public void Plan(StoreUsage usage) => _planned = (_planned ?? default) + usage;

    /// <summary>Writes a line for people: what a dry run would send or, if that was asked for, what was sent.</summary>
    public void Summarize(Invocation invocation)
    {
        if (Estimate is { } estimate)
        {
            invocation.Summary($"would send {Format(estimate)}");
        }
        else if (Prices is not null || IsLimited || invocation.Telemetry.LogLevel <= LogLevel.Information)
        {
            invocation.Summary($"sent {Format(Sent)}");
        }
    }

    /// <summary>Adds the counts to the result of --json.</summary>
    public void AddTo(Tally tally)
    {
        tally.Estimate = Estimate is { } estimate ? StoreUsageJson.From(estimate, Prices) : null;
        tally.Usage = StoreUsageJson.From(Sent, Prices);
    }

    /// <summary>Formats requests and content for people.</summary>
    public string Format(StoreUsage usage)
    {
        string copied = usage.BytesCopied > 0 ? $", {ByteSize.Format(usage.BytesCopied)} copied inside the store" : string.Empty;
        string amount = Prices is null ? string.Empty : string.Create(CultureInfo.InvariantCulture, $"; {Prices.GetAmount(usage):0.00####} {Prices.Currency}");
        return $"{Units.Count(usage.Requests, "request", "requests")}: {Units.Count(usage.Writes, "write", "writes")}, {Units.Count(usage.Lists, "list", "lists")}, "
            + $"{Units.Count(usage.Reads, "read", "reads")}, {Units.Count(usage.Deletes, "delete", "deletes")}; "
            + $"{ByteSize.Format(usage.BytesSent)} up, {ByteSize.Format(usage.BytesReceived)} down{copied}{amount}";
    }
}
