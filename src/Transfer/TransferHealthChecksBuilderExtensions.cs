using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transfer.S3;
using Transfer.S3.Health;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Provides extension methods to add health checks of the stores of registered clients.</summary>
/// <example>
/// <code>
/// using Amazon.S3;
/// using Microsoft.AspNetCore.Builder;
/// using Microsoft.Extensions.DependencyInjection;
///
/// WebApplicationBuilder builder = WebApplication.CreateBuilder();
/// builder.Services.AddSingleton&lt;IAmazonS3&gt;(new AmazonS3Client());
/// builder.Services.AddTransfer();
/// builder.Services.AddHealthChecks().AddTransferStore("photos", tags: ["ready"]);
///
/// WebApplication application = builder.Build();
/// application.MapHealthChecks("/health");
/// </code>
/// </example>
public static class TransferHealthChecksBuilderExtensions
{
    private const string DefaultName = "transfer-store";

    /// <summary>Adds a health check of the store of the client that <see cref="TransferServiceCollectionExtensions.AddTransfer(IServiceCollection, Action{TransferClientOptions}?)"/> registers.</summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="bucket">
    /// The bucket, which must exist, and whose objects the credentials must be allowed to list (<c>s3:ListBucket</c>); <see langword="null"/> to check only that the
    /// store responds and accepts the credentials.
    /// </param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">The status of a failed check; <see langword="null"/> for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">The tags of the check; <see langword="null"/> for none.</param>
    /// <param name="timeout">The time after which a check fails; <see langword="null"/> for 5 seconds.</param>
    /// <returns>The same health checks.</returns>
    /// <remarks>
    /// A check is one request that lists one key, or the buckets. It isn't retried, and doesn't wait for the transfers of the client. The result of a failed check contains the
    /// address of the store, the bucket, and the error, but no credentials.
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when a name is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the timeout isn't positive.</exception>
    /// <example>
    /// <code>
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// ServiceCollection services = new();
    /// services.AddHealthChecks().AddTransferStore("photos", timeout: TimeSpan.FromSeconds(2));
    /// </code>
    /// </example>
    public static IHealthChecksBuilder AddTransferStore(
        this IHealthChecksBuilder builder,
        string? bucket = null,
        string name = DefaultName,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        return Add(builder, name, static services => services.GetRequiredService<TransferClient>(), bucket, failureStatus, tags, timeout);
    }

    /// <summary>
    /// Adds a health check of the store of the client that <see cref="TransferServiceCollectionExtensions.AddKeyedTransfer(IServiceCollection, string, Action{TransferClientOptions}?)"/>
    /// registers.
    /// </summary>
    /// <param name="builder">The health checks.</param>
    /// <param name="clientName">The key of the client.</param>
    /// <param name="bucket">The bucket; <see langword="null"/> to check only that the store responds and accepts the credentials.</param>
    /// <param name="name">The name of the check; <see langword="null"/> for <c>transfer-store-</c> and the key of the client.</param>
    /// <param name="failureStatus">The status of a failed check; <see langword="null"/> for <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">The tags of the check; <see langword="null"/> for none.</param>
    /// <param name="timeout">The time after which a check fails; <see langword="null"/> for 5 seconds.</param>
    /// <returns>The same health checks.</returns>
    /// <remarks>See <see cref="AddTransferStore"/>.</remarks>
    /// <exception cref="ArgumentException">Thrown when a name is empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException">Thrown when the timeout isn't positive.</exception>
    /// <example>
    /// <code>
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// ServiceCollection services = new();
    /// services.AddKeyedTransfer("backups");
    /// services.AddHealthChecks().AddKeyedTransferStore("backups", "nightly");
    /// </code>
    /// </example>
    public static IHealthChecksBuilder AddKeyedTransferStore(
        this IHealthChecksBuilder builder,
        string clientName,
        string? bucket = null,
        string? name = null,
        HealthStatus? failureStatus = null,
        IEnumerable<string>? tags = null,
        TimeSpan? timeout = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(clientName);
        return Add(
            builder, name ?? $"{DefaultName}-{clientName}", services => services.GetRequiredKeyedService<TransferClient>(clientName), bucket, failureStatus, tags, timeout);
    }

    private static IHealthChecksBuilder Add(
        IHealthChecksBuilder builder,
        string name,
        Func<IServiceProvider, TransferClient> getClient,
        string? bucket,
        HealthStatus? failureStatus,
        IEnumerable<string>? tags,
        TimeSpan? timeout)
    {
        if (bucket is not null)
        {
            OptionGuard.Bucket(bucket);
        }

        TimeSpan limit = timeout ?? StoreHealthCheck.DefaultTimeout;
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(limit, TimeSpan.Zero, nameof(timeout));
        return builder.Add(new HealthCheckRegistration(name, services => new StoreHealthCheck(() => getClient(services), bucket, limit), failureStatus, tags));
    }
}
