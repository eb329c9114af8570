using Transfer.S3.Server;

namespace Aspire.Hosting.ApplicationModel;

/// <summary>The names of the commands of an <see cref="S3ServerResource"/>. The dashboard shows them, and tests run them.</summary>
/// <remarks>
/// A fault affects every request that it can affect, from the command until <see cref="ClearFaults"/>, another fault, or the next start of the server. In addition, the resource has
/// the commands to start, to stop, and to restart it (<see cref="KnownResourceCommands"/>).
/// </remarks>
/// <example>
/// <code>
/// using Aspire.Hosting;
/// using Aspire.Hosting.ApplicationModel;
///
/// IDistributedApplicationBuilder builder = DistributedApplication.CreateBuilder();
/// builder.AddS3Server("store");
/// await using DistributedApplication application = builder.Build();
/// await application.StartAsync();
///
/// await application.ResourceCommands.ExecuteCommandAsync("store", S3ServerCommands.SimulateThrottling);
/// await application.ResourceCommands.ExecuteCommandAsync("store", S3ServerCommands.ClearFaults);
/// </code>
/// </example>
public static class S3ServerCommands
{
    /// <summary>The response to every request is 503 SlowDown (<see cref="ServerFault.SlowDown"/>).</summary>
    public const string SimulateThrottling = "simulate-throttling";

    /// <summary>The response to every request is 500 InternalError (<see cref="ServerFault.InternalError"/>).</summary>
    public const string SimulateErrors = "simulate-errors";

    /// <summary>Every response begins two seconds later (<see cref="EmbeddedS3Server.FirstByteDelay"/>).</summary>
    public const string SimulateSlowResponses = "simulate-slow-responses";

    /// <summary>The connection is reset instead of every response (<see cref="ServerFault.ResetBeforeHeaders"/>).</summary>
    public const string SimulateBrokenConnections = "simulate-broken-connections";

    /// <summary>Requests that change something are carried out, but their responses are lost (<see cref="ServerFault.LoseReply"/>).</summary>
    public const string SimulateLostResponses = "simulate-lost-responses";

    /// <summary>One bit of the content of every download is inverted (<see cref="ServerFault.FlipDownload"/>).</summary>
    public const string SimulateCorruptDownloads = "simulate-corrupt-downloads";

    /// <summary>The credentials of every request are rejected as expired (<see cref="ServerFault.ExpireToken"/>).</summary>
    public const string SimulateExpiredCredentials = "simulate-expired-credentials";

    /// <summary>
    /// Any fault, for a part of the requests. The arguments are <see cref="FaultArgument"/> and <see cref="PercentArgument"/>.
    /// </summary>
    public const string SimulateFault = "simulate-fault";

    /// <summary>Ends all simulated faults and delays.</summary>
    public const string ClearFaults = "clear-faults";

    /// <summary>The argument of <see cref="SimulateFault"/> that is the name of a <see cref="ServerFault"/>.</summary>
    public const string FaultArgument = "fault";

    /// <summary>The argument of <see cref="SimulateFault"/> that is the percentage of requests to affect, from 1 to 100. The default is 100.</summary>
    public const string PercentArgument = "percent";
}
