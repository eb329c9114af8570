using System.Globalization;
using System.Net;
using Amazon.Runtime;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transfer.S3.Requests;
using Transfer.S3.Wire;

namespace Transfer.S3.Health;

/// <summary>Checks with one small request whether a store, or a bucket of it, can be used.</summary>
/// <remarks>
/// The request waits for no slot, so transfers that take all of them don't make the store unhealthy. It isn't retried, because whoever runs health checks repeats them
/// and decides how many failures matter.
/// </remarks>
/// <param name="getClient">Gets the client. It is called by the check, so that a client that can't be created is a result of the check.</param>
/// <param name="bucket">The bucket; null to check only that the store accepts the credentials.</param>
/// <param name="timeout">The time after which a check fails.</param>
internal sealed class StoreHealthCheck(Func<TransferClient> getClient, string? bucket, TimeSpan timeout) : IHealthCheck
{
    public static readonly TimeSpan DefaultTimeout = TimeSpan.FromSeconds(5);

    public async Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        TransferClient client = getClient();
        string place = Describe(client.S3.Config);
        using CancellationTokenSource limit = new(timeout, client.Context.Time);
        using CancellationTokenSource linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        try
        {
            await client.Context.BeginCounting(bucket ?? string.Empty, string.Empty).RunAsync(RequestAsync, linked.Token).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"{place} responds.");
        }
        catch (WireException e) when (bucket is null && e is { StatusCode: HttpStatusCode.Forbidden, ErrorCode: "AccessDenied" })
        {
            // The signature was accepted. Credentials for certain buckets can't list all of them.
            return HealthCheckResult.Healthy($"{place} responds. The credentials can't list buckets, so only the response was checked.");
        }
        catch (WireException e)
        {
            return Fail(new TransferException($"{place} can't be used: {e.Message}", new ObjectAddress(bucket ?? string.Empty, string.Empty), e));
        }
        catch (OperationCanceledException e) when (limit.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            return Fail(new TransferException(string.Create(CultureInfo.InvariantCulture, $"{place} did not respond within {timeout.TotalSeconds} s."), e) { Bucket = bucket, Error = TransferError.Connection });
        }

        HealthCheckResult Fail(TransferException e) => new(context.Registration.FailureStatus, e.Message, e);
    }

    private async Task<bool> RequestAsync(TransferRun run, CancellationToken cancellationToken)
    {
        if (bucket is null)
        {
            await run.Client.Wire.ListBucketsAsync(null, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            // Unlike the response to a HEAD request, this one has an error code.
            await run.Client.Wire.ListAsync(new ListQuery(bucket, string.Empty, new ReadAccess(false, null)) { MaxKeys = 1 }, null, cancellationToken).ConfigureAwait(false);
        }

        return true;
    }

    /// <summary>Names the store without the user information that an address can contain.</summary>
    private string Describe(IClientConfig? config)
    {
        string store = Uri.TryCreate(config?.ServiceURL, UriKind.Absolute, out Uri? address) ? address.Authority : config?.RegionEndpoint?.SystemName ?? "the store";
        return bucket is null ? store : $"s3://{bucket} at {store}";
    }
}
