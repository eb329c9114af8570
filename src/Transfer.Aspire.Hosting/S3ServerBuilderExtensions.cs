using System.Net.Sockets;
using Aspire.Hosting.ApplicationModel;
using Aspire.Hosting.Faults;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Transfer.S3.Server;

namespace Aspire.Hosting;

/// <summary>Provides extension methods to add an S3-compatible server to an AppHost.</summary>
/// <example>
/// <code>
/// using Aspire.Hosting;
/// using Aspire.Hosting.ApplicationModel;
///
/// IDistributedApplicationBuilder builder = DistributedApplication.CreateBuilder();
/// IResourceBuilder&lt;S3ServerResource&gt; store = builder.AddS3Server("store").WithBucket("photos").WithDataFolder("data");
/// builder.AddProject("api", "../Api/Api.csproj").WithReference(store).WaitFor(store);
/// builder.Build().Run();
/// </code>
/// </example>
public static class S3ServerBuilderExtensions
{
    /// <summary>
    /// Adds an S3-compatible server that runs in the process of the AppHost, without a container or a tool. It is made for development and tests.
    /// </summary>
    /// <param name="builder">The builder of the AppHost.</param>
    /// <param name="name">The name of the resource, and of the connection string that <c>WithReference</c> passes.</param>
    /// <param name="port">The TCP port to listen on; <see langword="null"/> for any free port, which remains the same until the AppHost ends.</param>
    /// <returns>The builder of the resource.</returns>
    /// <remarks>
    /// <para>
    /// The server listens on the loopback interface only. Objects are kept in memory until it stops, unless <see cref="WithDataFolder"/> is called. Its requests are in the logs of
    /// the resource, and its faults are commands of the resource: see <see cref="S3ServerCommands"/>.
    /// </para>
    /// <para>The resource isn't published. For a deployment, use <c>builder.ExecutionContext.IsPublishMode ? builder.AddConnectionString("store") : builder.AddS3Server("store")</c>.</para>
    /// </remarks>
    public static IResourceBuilder<S3ServerResource> AddS3Server(this IDistributedApplicationBuilder builder, [ResourceName] string name, int? port = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        S3ServerResource resource = new(name);
        S3ServerRunner runner = new(resource);
        string healthCheck = $"{name}_server";
        builder.Services.AddHealthChecks().AddCheck(healthCheck, new S3ServerHealthCheck(resource));
        builder.Services.AddSingleton<IHostedService>(_ => new S3ServerShutdown(runner));
        IResourceBuilder<S3ServerResource> store = builder.AddResource(resource)
            .WithAnnotation(new EndpointAnnotation(ProtocolType.Tcp, uriScheme: "http", name: S3ServerResource.EndpointName, port: port, isProxied: false) { TargetHost = S3ServerRunner.Address })
            .WithInitialState(new CustomResourceSnapshot { ResourceType = "S3Server", Properties = [], State = KnownResourceStates.NotStarted })
            .WithHealthCheck(healthCheck)
            .WithIconName("Database")
            .ExcludeFromManifest()
            .OnInitializeResource((initialized, initializing, cancellationToken) => initialized.TryGetLastAnnotation<ExplicitStartupAnnotation>(out _)
                ? Task.CompletedTask
                : runner.TryStartAsync(initializing.Services, cancellationToken));
        LifecycleCommands.Add(store, runner);
        FaultCommands.Add(store, runner);
        return store;
    }

    /// <summary>Adds a bucket that is created when the server starts, unless it exists.</summary>
    /// <param name="builder">The builder of the resource.</param>
    /// <param name="bucket">The name of the bucket.</param>
    /// <returns>The same builder.</returns>
    public static IResourceBuilder<S3ServerResource> WithBucket(this IResourceBuilder<S3ServerResource> builder, string bucket)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(bucket);
        builder.Resource.Buckets.Add(bucket);
        return builder;
    }

    /// <summary>Stores buckets and objects in a folder, so that they are still there after the AppHost was restarted.</summary>
    /// <param name="builder">The builder of the resource.</param>
    /// <param name="path">The path of the folder, which is created if it doesn't exist. A relative path begins at the folder of the AppHost.</param>
    /// <returns>The same builder.</returns>
    public static IResourceBuilder<S3ServerResource> WithDataFolder(this IResourceBuilder<S3ServerResource> builder, string path)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(path);
        builder.Resource.DataFolder = Path.GetFullPath(path, builder.ApplicationBuilder.AppHostDirectory);
        return builder;
    }

    /// <summary>Sets the access key that requests must be signed with.</summary>
    /// <param name="builder">The builder of the resource.</param>
    /// <param name="accessKeyId">The access key ID.</param>
    /// <param name="secretAccessKey">The secret access key, a parameter that is a secret.</param>
    /// <returns>The same builder.</returns>
    /// <remarks>The default is the access key of <see cref="EmbeddedS3ServerOptions"/>. A value can't contain a semicolon or a quotation mark, because it becomes part of a connection string.</remarks>
    public static IResourceBuilder<S3ServerResource> WithCredentials(
        this IResourceBuilder<S3ServerResource> builder, IResourceBuilder<ParameterResource> accessKeyId, IResourceBuilder<ParameterResource> secretAccessKey)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(accessKeyId);
        ArgumentNullException.ThrowIfNull(secretAccessKey);
        builder.Resource.AccessKeyId = ReferenceExpression.Create($"{accessKeyId.Resource}");
        builder.Resource.SecretAccessKey = ReferenceExpression.Create($"{secretAccessKey.Resource}");
        return builder;
    }

    /// <summary>Sets the region that requests must be signed for.</summary>
    /// <param name="builder">The builder of the resource.</param>
    /// <param name="region">The region. The default is <c>us-east-1</c>.</param>
    /// <returns>The same builder.</returns>
    public static IResourceBuilder<S3ServerResource> WithRegion(this IResourceBuilder<S3ServerResource> builder, string region)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(region);
        builder.Resource.Region = region;
        return builder;
    }

    /// <summary>Sets the faults that the server simulates whenever it starts. <see cref="S3ServerCommands.ClearFaults"/> ends them.</summary>
    /// <param name="builder">The builder of the resource.</param>
    /// <param name="plan">The faults.</param>
    /// <returns>The same builder.</returns>
    public static IResourceBuilder<S3ServerResource> WithFaults(this IResourceBuilder<S3ServerResource> builder, FaultPlan plan)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(plan);
        builder.Resource.Faults = plan;
        return builder;
    }

    /// <summary>
    /// Passes the endpoint, the access key, and the region of a server in the environment variables that the AWS SDKs and the AWS CLI read, for a resource that doesn't use a
    /// connection string.
    /// </summary>
    /// <typeparam name="T">The type of the resource.</typeparam>
    /// <param name="builder">The builder of the resource that uses the server.</param>
    /// <param name="store">The server.</param>
    /// <returns>The same builder.</returns>
    /// <remarks>
    /// The variables are <c>AWS_ENDPOINT_URL_S3</c>, <c>AWS_ACCESS_KEY_ID</c>, <c>AWS_SECRET_ACCESS_KEY</c>, <c>AWS_REGION</c>, and <c>AWS_DEFAULT_REGION</c>.
    /// </remarks>
    public static IResourceBuilder<T> WithAwsEnvironment<T>(this IResourceBuilder<T> builder, IResourceBuilder<S3ServerResource> store)
        where T : IResourceWithEnvironment
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(store);
        S3ServerResource resource = store.Resource;
        return builder.WithReferenceRelationship(resource).WithEnvironment(context =>
        {
            context.EnvironmentVariables["AWS_ENDPOINT_URL_S3"] = resource.Endpoint.Property(EndpointProperty.Url);
            context.EnvironmentVariables["AWS_ACCESS_KEY_ID"] = resource.AccessKeyId;
            context.EnvironmentVariables["AWS_SECRET_ACCESS_KEY"] = resource.SecretAccessKey;
            context.EnvironmentVariables["AWS_REGION"] = resource.Region;
            context.EnvironmentVariables["AWS_DEFAULT_REGION"] = resource.Region;
        });
    }
}
