using Microsoft.Extensions.Hosting;

namespace Transfer.S3.Server.Hosting;

/// <summary>A lifetime that ignores the signals of the process, because the server runs inside another program, which handles them.</summary>
internal sealed class NoLifetime : IHostLifetime
{
    public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
