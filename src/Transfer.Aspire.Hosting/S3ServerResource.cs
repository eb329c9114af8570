using Transfer.S3.Server;

namespace Aspire.Hosting.ApplicationModel;

/// <summary>An S3-compatible server that runs in the process of the AppHost. See <see cref="S3ServerBuilderExtensions.AddS3Server"/>.</summary>
/// <param name="name">The name of the resource.</param>
/// <example>
/// <code>
/// using Aspire.Hosting;
/// using Aspire.Hosting.ApplicationModel;
/// using Transfer.S3.Server;
///
/// IDistributedApplicationBuilder builder = DistributedApplication.CreateBuilder();
/// IResourceBuilder&lt;S3ServerResource&gt; store = builder.AddS3Server("store").WithBucket("photos");
/// await using DistributedApplication application = builder.Build();
/// await application.StartAsync();
/// await application.ResourceNotifications.WaitForResourceHealthyAsync("store");
///
/// // In a test: what was requested, and faults by a script.
/// store.Resource.Server!.SetFaults(new FaultPlan { Rules = [new FaultRule(ServerFault.SlowDown) { Operation = "PutObject" }] });
/// </code>
/// </example>
public sealed class S3ServerResource(string name) : Resource(name), IResourceWithConnectionString, IResourceWithEndpoints
{
    internal const string EndpointName = "http";

    private static readonly EmbeddedS3ServerOptions Defaults = new();

    private volatile EmbeddedS3Server? _server;

    /// <summary>Gets the endpoint of the server.</summary>
    public EndpointReference Endpoint => field ??= new EndpointReference(this, EndpointName);

    /// <summary>Gets the access key ID that requests must be signed with.</summary>
    public ReferenceExpression AccessKeyId { get; internal set; } = ReferenceExpression.Create($"{Defaults.AccessKeyId}");

    /// <summary>Gets the secret access key that requests must be signed with.</summary>
    public ReferenceExpression SecretAccessKey { get; internal set; } = ReferenceExpression.Create($"{Defaults.SecretAccessKey}");

    /// <summary>Gets the region that requests must be signed for.</summary>
    public string Region { get; internal set; } = Defaults.Region;

    /// <summary>Gets the connection string: the endpoint, the access key, and the region.</summary>
    public ReferenceExpression ConnectionStringExpression => ReferenceExpression.Create(
        $"Endpoint={Endpoint.Property(EndpointProperty.Url)};AccessKeyId={AccessKeyId};SecretAccessKey={SecretAccessKey};Region={Region}");

    /// <summary>Gets the running server; <see langword="null"/> if it isn't running.</summary>
    public EmbeddedS3Server? Server { get => _server; internal set => _server = value; }

    internal List<string> Buckets { get; } = [];

    internal string? DataFolder { get; set; }

    /// <summary>Gets or sets the faults that the server starts with.</summary>
    internal FaultPlan? Faults { get; set; }

    IEnumerable<KeyValuePair<string, ReferenceExpression>> IResourceWithConnectionString.GetConnectionProperties() =>
    [
        new("Endpoint", ReferenceExpression.Create($"{Endpoint.Property(EndpointProperty.Url)}")),
        new("AccessKeyId", AccessKeyId),
        new("SecretAccessKey", SecretAccessKey),
        new("Region", ReferenceExpression.Create($"{Region}")),
    ];
}
