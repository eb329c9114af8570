using System.Globalization;
using Aspire.Hosting.ApplicationModel;
using Transfer.S3.Server;

namespace Aspire.Hosting.Faults;

/// <summary>The commands that let a server simulate faults: frequent ones with a click, and all of them with arguments.</summary>
internal static class FaultCommands
{
    private static readonly TimeSpan SlowDelay = TimeSpan.FromSeconds(2);

    /// <summary>The server has no certificate, so nothing fails a handshake.</summary>
    private static readonly string[] FaultNames = [.. Enum.GetValues<ServerFault>().Where(static fault => fault != ServerFault.FailHandshake).Select(static fault => fault.ToString())];

    public static void Add(IResourceBuilder<S3ServerResource> store, S3ServerRunner runner)
    {
        AddClick(S3ServerCommands.SimulateThrottling, "Simulate throttling", "All requests fail with 503 SlowDown.", "TopSpeed", FaultSimulation.Of(ServerFault.SlowDown));
        AddClick(S3ServerCommands.SimulateErrors, "Simulate errors", "All requests fail with 500 InternalError.", "ErrorCircle", FaultSimulation.Of(ServerFault.InternalError));
        AddClick(
            S3ServerCommands.SimulateSlowResponses,
            "Simulate slow responses",
            "All responses begin two seconds later.",
            "Clock",
            new FaultSimulation(string.Create(CultureInfo.InvariantCulture, $"Responses begin {SlowDelay.TotalSeconds} s later"), Delay: SlowDelay));
        AddClick(S3ServerCommands.SimulateBrokenConnections, "Simulate broken connections", "Connections are reset instead of all responses.", "PlugDisconnected", FaultSimulation.Of(ServerFault.ResetBeforeHeaders));
        AddClick(S3ServerCommands.SimulateLostResponses, "Simulate lost responses", "Changes are made, and their responses are lost.", "MailDismiss", FaultSimulation.Of(ServerFault.LoseReply));
        AddClick(S3ServerCommands.SimulateCorruptDownloads, "Simulate corrupt downloads", "One bit of the content of each download is inverted.", "DocumentError", FaultSimulation.Of(ServerFault.FlipDownload));
        AddClick(S3ServerCommands.SimulateExpiredCredentials, "Simulate expired credentials", "All requests fail with 400 ExpiredToken.", "Key", FaultSimulation.Of(ServerFault.ExpireToken));
        store.WithCommand(
            S3ServerCommands.SimulateFault,
            "Simulate a fault...",
            context => SimulateAsync(runner, context),
            new CommandOptions
            {
                Description = "Simulates any fault for a part of the requests.",
                IconName = "Bug",
                UpdateState = WhileRunning,
                Arguments =
                [
                    new InteractionInput
                    {
                        Name = S3ServerCommands.FaultArgument,
                        Label = "Fault",
                        InputType = InputType.Choice,
                        Required = true,
                        Options = [.. FaultNames.Select(static fault => KeyValuePair.Create(fault, fault))],
                        Value = nameof(ServerFault.SlowDown),
                    },
                    new InteractionInput
                    {
                        Name = S3ServerCommands.PercentArgument,
                        Label = "Percentage of requests",
                        InputType = InputType.Number,
                        Value = FaultSimulation.MaxPercent.ToString(CultureInfo.InvariantCulture),
                    },
                ],
            });
        AddClick(S3ServerCommands.ClearFaults, "Clear faults", "Ends all simulated faults and delays.", "Checkmark", FaultSimulation.None);

        void AddClick(string name, string displayName, string description, string icon, FaultSimulation simulation) => store.WithCommand(
            name,
            displayName,
            context => RunAsync(runner, simulation, context),
            new CommandOptions { Description = description, IconName = icon, UpdateState = WhileRunning });
    }

    private static ResourceCommandState WhileRunning(UpdateCommandStateContext context) => LifecycleCommands.IsRunning(context) ? ResourceCommandState.Enabled : ResourceCommandState.Disabled;

    private static async Task<ExecuteCommandResult> SimulateAsync(S3ServerRunner runner, ExecuteCommandContext context)
    {
        string? name = context.Arguments.TryGetByName(S3ServerCommands.FaultArgument, out InteractionInput? fault) ? fault.Value : null;
        if (name is null || !FaultNames.Contains(name, StringComparer.Ordinal))
        {
            return CommandResults.Failure($"The argument '{S3ServerCommands.FaultArgument}' is '{name}'; it must be one of {string.Join(", ", FaultNames)}.");
        }

        int percent = FaultSimulation.MaxPercent;
        if (context.Arguments.TryGetByName(S3ServerCommands.PercentArgument, out InteractionInput? share) && share.Value is { Length: > 0 } text
            && !(int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out percent) && percent is >= 1 and <= FaultSimulation.MaxPercent))
        {
            return CommandResults.Failure($"The argument '{S3ServerCommands.PercentArgument}' is '{text}'; it must be a number from 1 to {FaultSimulation.MaxPercent}.");
        }

        return await RunAsync(runner, FaultSimulation.Of(Enum.Parse<ServerFault>(name), percent), context).ConfigureAwait(false);
    }

    private static async Task<ExecuteCommandResult> RunAsync(S3ServerRunner runner, FaultSimulation simulation, ExecuteCommandContext context)
        => await runner.TrySimulateAsync(simulation, context.Services, context.CancellationToken).ConfigureAwait(false)
            ? CommandResults.Success()
            : CommandResults.Failure("The server isn't running. Start it first.");
}
