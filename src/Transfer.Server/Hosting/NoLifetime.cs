using Microsoft.Extensions.Hosting;

namespace Transfer.Server.Hosting;

/// <summary>Leaves signals of the process alone: the host of this server is a guest in somebody else's program.</summary>
internal sealed class NoLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
