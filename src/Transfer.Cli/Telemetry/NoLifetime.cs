using Microsoft.Extensions.Hosting;

namespace Transfer.Cli.Telemetry;

/// <summary>Leaves the signals of the process to the tool.</summary>
internal sealed class NoLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
