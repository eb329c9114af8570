using Microsoft.Extensions.Logging;

namespace Transfer.S3.Aspire;

/// <summary>The settings of a client that <c>AddTransferClient</c> registers: which store it uses, and what it reports.</summary>
/// <remarks>
/// They are read from the section <c>Aspire:Transfer:S3</c> of the configuration, then from the section with the name of the connection in it, then from the connection
/// string, and are then passed to the code of the application. The last one that sets a value decides. The options of the client are in the section <c>Options</c> beside
/// them.
/// </remarks>
/// <example>
/// <code>
/// using Microsoft.AspNetCore.Builder;
/// using Microsoft.Extensions.Hosting;
///
/// WebApplicationBuilder builder = WebApplication.CreateBuilder();
/// builder.AddTransferClient("store", settings =&gt;
/// {
///     settings.HealthCheckBucket = "photos";
///     settings.TraceRequests = true;
/// });
/// </code>
/// </example>
public sealed class TransferClientSettings
{
    /// <summary>Gets or sets the address of the store, such as <c>http://localhost:9000</c>.</summary>
    /// <value>The default is <see langword="null"/>: Amazon S3.</value>
    public Uri? Endpoint { get; set; }

    /// <summary>Gets or sets the access key ID.</summary>
    /// <value>The default is <see langword="null"/>: the credentials are those that the AWS SDK finds, such as those of a role.</value>
    public string? AccessKeyId { get; set; }

    /// <summary>Gets or sets the secret access key.</summary>
    /// <value>The default is <see langword="null"/>. It must be set if <see cref="AccessKeyId"/> is.</value>
    public string? SecretAccessKey { get; set; }

    /// <summary>Gets or sets the region that requests are signed for.</summary>
    /// <value>The default is <see langword="null"/>: the region that the AWS SDK finds or, with an <see cref="Endpoint"/>, <c>us-east-1</c>.</value>
    public string? Region { get; set; }

    /// <summary>Gets or sets a value that indicates whether the bucket is part of the path of a URL instead of its host.</summary>
    /// <value>
    /// <see langword="true"/> for the path; <see langword="false"/> for the host. The default is <see langword="null"/>: the path if <see cref="Endpoint"/> is set.
    /// </value>
    public bool? ForcePathStyle { get; set; }

    /// <summary>Gets or sets the bucket that the health check lists one key of.</summary>
    /// <value>The default is <see langword="null"/>: the health check finds out only that the store responds and accepts the credentials.</value>
    public string? HealthCheckBucket { get; set; }

    /// <summary>Gets or sets the time after which the health check fails.</summary>
    /// <value>The default is <see langword="null"/>: 5 seconds.</value>
    public TimeSpan? HealthCheckTimeout { get; set; }

    /// <summary>Gets or sets a value that indicates whether the health check isn't added.</summary>
    /// <value><see langword="true"/> to add none; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DisableHealthChecks { get; set; }

    /// <summary>Gets or sets a value that indicates whether no traces are collected.</summary>
    /// <value><see langword="true"/> to collect none; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DisableTracing { get; set; }

    /// <summary>Gets or sets a value that indicates whether the traces also contain a span for each request. A large object has thousands of them.</summary>
    /// <value>
    /// <see langword="true"/> for transfers and requests; <see langword="false"/> for transfers only. The default is <see langword="false"/>.
    /// </value>
    public bool TraceRequests { get; set; }

    /// <summary>Gets or sets a value that indicates whether no metrics are collected.</summary>
    /// <value><see langword="true"/> to collect none; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DisableMetrics { get; set; }

    /// <summary>Gets or sets a value that indicates whether the client doesn't use the <see cref="ILoggerFactory"/> of the application.</summary>
    /// <value><see langword="true"/> to log nothing; otherwise, <see langword="false"/>. The default is <see langword="false"/>.</value>
    public bool DisableLogging { get; set; }
}
