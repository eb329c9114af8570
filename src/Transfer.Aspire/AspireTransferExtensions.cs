using Amazon.S3;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using Transfer.S3;
using Transfer.S3.Aspire;

namespace Microsoft.Extensions.Hosting;

/// <summary>Provides extension methods to register a <see cref="TransferClient"/> for a connection of an application of .NET Aspire.</summary>
/// <example>
/// <code>
/// using Microsoft.AspNetCore.Builder;
/// using Microsoft.Extensions.Hosting;
/// using Transfer.S3;
///
/// WebApplicationBuilder builder = WebApplication.CreateBuilder();
/// builder.AddTransferClient("store");
///
/// WebApplication application = builder.Build();
/// application.MapPut("/photos/{name}", (string name, Stream body, ITransferClient client) =&gt; client.UploadAsync(body, "photos", name));
/// application.Run();
/// </code>
/// </example>
public static class AspireTransferExtensions
{
    /// <summary>
    /// Registers a <see cref="TransferClient"/> for a connection as a singleton, as itself and as <see cref="ITransferClient"/>, and the <see cref="IAmazonS3"/> that it
    /// uses, with a health check, metrics, traces, and logs.
    /// </summary>
    /// <param name="builder">The builder of the application.</param>
    /// <param name="connectionName">The name of the connection, such as that of the resource in the AppHost.</param>
    /// <param name="configureSettings">Changes the settings that were read from the configuration and the connection string; <see langword="null"/> for none.</param>
    /// <param name="configureOptions">Changes the options of the client that were read from the configuration; <see langword="null"/> for none.</param>
    /// <remarks>
    /// The connection string is <c>ConnectionStrings:</c> with the name of the connection: the URL of the store, or pairs such as
    /// <c>Endpoint=http://localhost:9000;AccessKeyId=id;SecretAccessKey=secret;Region=us-east-1</c>. Without one, the AWS SDK finds the region and the credentials. The options
    /// are read as by <see cref="TransferServiceCollectionExtensions.AddTransfer(IServiceCollection, IConfiguration)"/>, from the section <c>Aspire:Transfer:S3:Options</c> and then
    /// from <c>Options</c> in the section of the connection.
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when the name is empty.</exception>
    /// <exception cref="InvalidOperationException">Thrown when a setting or the connection string is invalid. The message contains its name, and no secret.</exception>
    public static void AddTransferClient(
        this IHostApplicationBuilder builder,
        string connectionName,
        Action<TransferClientSettings>? configureSettings = null,
        Action<TransferClientOptions>? configureOptions = null)
    {
        TransferClientSettings settings = ReadSettings(builder, connectionName, configureSettings);
        IServiceCollection services = builder.Services;
        services.AddSingleton(_ => StoreConnection.Create(connectionName, settings));
        foreach (IConfigurationSection section in OptionSections(builder, connectionName))
        {
            services.AddTransfer(section);
        }

        services.AddTransfer(options => Configure(options, settings, configureOptions));
        AddTelemetry(builder, settings);
        if (!settings.DisableHealthChecks && IsFirst(builder, AspireTransferNames.HealthCheck))
        {
            services.AddHealthChecks().AddTransferStore(settings.HealthCheckBucket, AspireTransferNames.HealthCheck, timeout: settings.HealthCheckTimeout);
        }
    }

    /// <summary>
    /// Registers a <see cref="TransferClient"/> for a connection as a keyed singleton, as itself and as <see cref="ITransferClient"/>, and the <see cref="IAmazonS3"/> that
    /// it uses, for an application that uses several stores.
    /// </summary>
    /// <param name="builder">The builder of the application.</param>
    /// <param name="name">The name of the connection, which is also the key of the services.</param>
    /// <param name="configureSettings">Changes the settings that were read from the configuration and the connection string; <see langword="null"/> for none.</param>
    /// <param name="configureOptions">Changes the options of the client that were read from the configuration; <see langword="null"/> for none.</param>
    /// <remarks>Get the client with <c>[FromKeyedServices("name")]</c>. Otherwise, this method works as <see cref="AddTransferClient"/> does.</remarks>
    /// <exception cref="ArgumentException">Thrown when the name is empty.</exception>
    /// <exception cref="InvalidOperationException">Thrown when a setting or the connection string is invalid. The message contains its name, and no secret.</exception>
    public static void AddKeyedTransferClient(
        this IHostApplicationBuilder builder,
        string name,
        Action<TransferClientSettings>? configureSettings = null,
        Action<TransferClientOptions>? configureOptions = null)
    {
        TransferClientSettings settings = ReadSettings(builder, name, configureSettings);
        IServiceCollection services = builder.Services;
        services.AddKeyedSingleton(name, (_, _) => StoreConnection.Create(name, settings));
        foreach (IConfigurationSection section in OptionSections(builder, name))
        {
            services.AddKeyedTransfer(name, section);
        }

        services.AddKeyedTransfer(name, options => Configure(options, settings, configureOptions));
        AddTelemetry(builder, settings);
        string check = $"{AspireTransferNames.HealthCheck}_{name}";
        if (!settings.DisableHealthChecks && IsFirst(builder, check))
        {
            services.AddHealthChecks().AddKeyedTransferStore(name, settings.HealthCheckBucket, check, timeout: settings.HealthCheckTimeout);
        }
    }

    private static TransferClientSettings ReadSettings(IHostApplicationBuilder builder, string name, Action<TransferClientSettings>? configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        TransferClientSettings settings = new();
        IConfigurationSection section = builder.Configuration.GetSection(AspireTransferNames.Section);
        SettingsReader.Read(section, settings);
        SettingsReader.Read(section.GetSection(name), settings);
        if (builder.Configuration.GetConnectionString(name) is { Length: > 0 } text)
        {
            SettingsReader.ReadConnectionString(name, text, settings);
        }

        configure?.Invoke(settings);
        return settings;
    }

    private static IEnumerable<IConfigurationSection> OptionSections(IHostApplicationBuilder builder, string name)
    {
        IConfigurationSection section = builder.Configuration.GetSection(AspireTransferNames.Section);
        return [section.GetSection(AspireTransferNames.Options), section.GetSection(name).GetSection(AspireTransferNames.Options)];
    }

    private static void Configure(TransferClientOptions options, TransferClientSettings settings, Action<TransferClientOptions>? configure)
    {
        options.LoggerFactory = settings.DisableLogging ? NullLoggerFactory.Instance : options.LoggerFactory;
        configure?.Invoke(options);
    }

    private static void AddTelemetry(IHostApplicationBuilder builder, TransferClientSettings settings)
    {
        if (!settings.DisableTracing)
        {
            string[] sources = settings.TraceRequests ? [TransferClient.ActivitySourceName, TransferClient.RequestActivitySourceName] : [TransferClient.ActivitySourceName];
            builder.Services.AddOpenTelemetry().WithTracing(tracing => tracing.AddSource(sources));
        }

        if (!settings.DisableMetrics)
        {
            builder.Services.AddOpenTelemetry().WithMetrics(metrics => metrics.AddMeter(TransferClient.MeterName));
        }
    }

    /// <summary>Health checks must have different names. Another client for the same connection has the same store.</summary>
    private static bool IsFirst(IHostApplicationBuilder builder, string healthCheck) => builder.Properties.TryAdd($"health check {healthCheck}", true);
}
