using Microsoft.Extensions.Hosting;

namespace Aspire.Hosting;

/// <summary>Stops the server with the AppHost. The resource itself is started by an event, when its parameters have values.</summary>
internal sealed class S3ServerShutdown(S3ServerRunner runner) : IHostedService, IAsyncDisposable
{
    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => runner.DisposeAsync().AsTask();

    /// <summary>If the AppHost could not start, it isn't stopped, but disposed.</summary>
    public ValueTask DisposeAsync() => runner.DisposeAsync();
}
