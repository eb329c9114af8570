using Aspire.Hosting.ApplicationModel;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Aspire.Hosting;

/// <summary>
/// Says whether the server is running. It sends no request, because a request could be the one that a simulated fault is meant for. The health check of a client sends one.
/// </summary>
internal sealed class S3ServerHealthCheck(S3ServerResource resource) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
        => Task.FromResult(resource.Server is { } server
            ? HealthCheckResult.Healthy($"The server is listening on {server.Endpoint}.")
            : new HealthCheckResult(context.Registration.FailureStatus, "The server isn't running."));
}
