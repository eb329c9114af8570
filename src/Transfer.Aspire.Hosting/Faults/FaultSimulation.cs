using System.Globalization;
using Transfer.S3.Server;

namespace Aspire.Hosting.Faults;

/// <summary>What a server simulates.</summary>
/// <param name="Description">Describes it for the dashboard.</param>
/// <param name="Plan">The faults; null for none.</param>
/// <param name="Delay">The delay of each response.</param>
internal sealed record FaultSimulation(string Description, FaultPlan? Plan = null, TimeSpan Delay = default)
{
    public const int MaxPercent = 100;

    public static FaultSimulation None { get; } = new("None");

    /// <summary>Gets what the AppHost has set.</summary>
    public static FaultSimulation Configured { get; } = new("As configured in the AppHost");

    /// <summary>Creates a simulation of a fault.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="percent">The percentage of the requests that the fault affects, of those that it can affect.</param>
    public static FaultSimulation Of(ServerFault fault, int percent = MaxPercent) => new(
        string.Create(CultureInfo.InvariantCulture, $"{fault}, {percent} % of requests"),
        percent == MaxPercent
            ? new FaultPlan { Rules = [new FaultRule(fault) { Times = null }] }
            : new FaultPlan { Probabilities = new Dictionary<ServerFault, double> { [fault] = percent / (double)MaxPercent } });
}
