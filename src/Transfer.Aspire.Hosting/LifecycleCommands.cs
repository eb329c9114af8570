using Aspire.Hosting.ApplicationModel;

namespace Aspire.Hosting;

/// <summary>The commands to start, to stop, and to restart a server. Aspire has them only for what its orchestrator runs.</summary>
internal static class LifecycleCommands
{
    public static void Add(IResourceBuilder<S3ServerResource> store, S3ServerRunner runner)
    {
        store.WithCommand(
            KnownResourceCommands.StartCommand,
            "Start",
            context => StartAsync(runner, context),
            new CommandOptions
            {
                UpdateState = static context => IsRunning(context) ? ResourceCommandState.Hidden : IsChanging(context) ? ResourceCommandState.Disabled : ResourceCommandState.Enabled,
                IconName = "Play",
                IconVariant = IconVariant.Filled,
                IsHighlighted = true,
            });
        store.WithCommand(
            KnownResourceCommands.StopCommand,
            "Stop",
            async context =>
            {
                await runner.StopAsync(context.Services, context.CancellationToken).ConfigureAwait(false);
                return CommandResults.Success();
            },
            new CommandOptions
            {
                UpdateState = static context => IsRunning(context) ? ResourceCommandState.Enabled : IsChanging(context) ? ResourceCommandState.Disabled : ResourceCommandState.Hidden,
                IconName = "Stop",
                IconVariant = IconVariant.Filled,
                IsHighlighted = true,
            });
        store.WithCommand(
            KnownResourceCommands.RestartCommand,
            "Restart",
            async context =>
            {
                await runner.StopAsync(context.Services, context.CancellationToken).ConfigureAwait(false);
                return await StartAsync(runner, context).ConfigureAwait(false);
            },
            new CommandOptions
            {
                UpdateState = static context => IsRunning(context) ? ResourceCommandState.Enabled : ResourceCommandState.Disabled,
                IconName = "ArrowCounterclockwise",
            });
    }

    public static bool IsRunning(UpdateCommandStateContext context) => context.ResourceSnapshot.State?.Text == KnownResourceStates.Running;

    private static bool IsChanging(UpdateCommandStateContext context)
        => context.ResourceSnapshot.State?.Text is { } state && (state == KnownResourceStates.Starting || state == KnownResourceStates.Stopping);

    private static async Task<ExecuteCommandResult> StartAsync(S3ServerRunner runner, ExecuteCommandContext context)
        => await runner.TryStartAsync(context.Services, context.CancellationToken).ConfigureAwait(false) is { } e ? CommandResults.Failure(e) : CommandResults.Success();
}
