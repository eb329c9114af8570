using Amazon.S3;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Transfer.S3;
using Transfer.S3.Configuration;
using DefaultOptions = Microsoft.Extensions.Options.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Provides extension methods to register a <see cref="TransferClient"/> in a service collection.</summary>
public static class TransferServiceCollectionExtensions
{
    /// <summary>
    /// Registers a <see cref="TransferClient"/> as a singleton, as itself and as <see cref="ITransferClient"/>. It uses the <see cref="IAmazonS3"/> that is
    /// registered.
    /// </summary>
    /// <param name="services">The service collection. An <see cref="IAmazonS3"/> must be registered too, before or after this call.</param>
    /// <param name="configure">Configures the options; <see langword="null"/> for the defaults. The actions of several calls run in their order.</param>
    /// <returns>The same service collection.</returns>
    /// <remarks>
    /// The options are validated when the host starts, or at the latest when the client is first resolved. If they are invalid, an
    /// <see cref="OptionsValidationException"/> is thrown with the same message as by <see cref="TransferClient"/>. If the options don't set them, the
    /// <see cref="ILoggerFactory"/> and the <see cref="TimeProvider"/> of the container are used. The container disposes the client. It must be disposed
    /// asynchronously, as hosts do.
    /// </remarks>
    /// <example>
    /// <code>
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// ServiceCollection services = new();
    /// services.AddSingleton&lt;IAmazonS3>(new AmazonS3Client());
    /// services.AddTransfer(options => options.MemoryBytes = 256 &lt;&lt; 20);
    /// await using ServiceProvider provider = services.BuildServiceProvider();
    /// ITransferClient transfers = provider.GetRequiredService&lt;ITransferClient>();
    /// </code>
    /// </example>
    public static IServiceCollection AddTransfer(this IServiceCollection services, Action<TransferClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        AddOptions(services, DefaultOptions.DefaultName, configure);
        services.TryAddSingleton(static provider => new TransferClient(
            provider.GetService<IAmazonS3>() ?? throw new InvalidOperationException(
                $"{nameof(AddTransfer)} needs an {nameof(IAmazonS3)}, and none is registered. Register one, for example with services.AddSingleton<{nameof(IAmazonS3)}>(new {nameof(AmazonS3Client)}())."),
            provider.GetRequiredService<IOptions<TransferClientOptions>>().Value));
        services.TryAddSingleton<ITransferClient>(static provider => provider.GetRequiredService<TransferClient>());
        return services;
    }

    /// <summary>Registers a <see cref="TransferClient"/> as a singleton, with options from a configuration section.</summary>
    /// <param name="services">The service collection. An <see cref="IAmazonS3"/> must be registered too, before or after this call.</param>
    /// <param name="section">
    /// The section. Its keys are the names of the properties of <see cref="TransferClientOptions"/>. Sizes are written as <see cref="ByteSize"/> reads them, such as
    /// <c>8MiB</c>, and rate limits as <see cref="RateLimit.Parse"/> does, such as <c>20MiB,up=5MiB</c>. Times have the format of <see cref="TimeSpan"/>, such as <c>00:00:30</c>.
    /// <see cref="TransferClientOptions.MaxConcurrency"/> can be <c>auto</c>. The section is read once.
    /// </param>
    /// <returns>The same service collection.</returns>
    /// <remarks>
    /// See the other overload. If a value can't be parsed, or a key of the section isn't an option, an <see cref="OptionsValidationException"/> is thrown whose message
    /// contains the key. Other keys are ignored only if <paramref name="section"/> is a whole configuration instead of a section.
    /// </remarks>
    /// <example>
    /// <code>
    /// using Microsoft.AspNetCore.Builder;
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// WebApplicationBuilder builder = WebApplication.CreateBuilder();
    /// builder.Services.AddSingleton&lt;IAmazonS3>(new AmazonS3Client());
    /// builder.Services.AddTransfer(builder.Configuration.GetSection("Transfer")); // "Transfer": { "MemoryBytes": "256MiB" }
    /// </code>
    /// </example>
    public static IServiceCollection AddTransfer(this IServiceCollection services, IConfiguration section)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddTransfer(options => OptionsReader.Read(section, options, DefaultOptions.DefaultName));
    }

    /// <summary>
    /// Registers a <see cref="TransferClient"/> as a keyed singleton, as itself and as <see cref="ITransferClient"/>, for an application that uses several stores or
    /// several sets of options. It uses the <see cref="IAmazonS3"/> that is registered with the same key.
    /// </summary>
    /// <param name="services">The service collection. An <see cref="IAmazonS3"/> must be registered with the key <paramref name="name"/>, before or after this call.</param>
    /// <param name="name">The key of the services, which is also the name of the options and of the client in logs.</param>
    /// <param name="configure">Configures the options; <see langword="null"/> for the defaults. The actions of several calls with the same name run in their order.</param>
    /// <returns>The same service collection.</returns>
    /// <remarks>
    /// Get the client with <c>[FromKeyedServices("name")]</c> or <c>GetRequiredKeyedService</c>. A client that is registered without a key isn't used instead, because
    /// it could belong to another store. Each client has its own memory budget, connections, and request slots. Otherwise, this method works as
    /// <see cref="AddTransfer(IServiceCollection, Action{TransferClientOptions}?)"/> does.
    /// </remarks>
    /// <exception cref="ArgumentException">Thrown when <paramref name="name"/> is <see langword="null"/> or empty.</exception>
    /// <example>
    /// <code>
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// ServiceCollection services = new();
    /// services.AddKeyedSingleton&lt;IAmazonS3>("backup", new AmazonS3Client(new AmazonS3Config { ServiceURL = "https://backup.example.com", ForcePathStyle = true }));
    /// services.AddKeyedTransfer("backup", options => options.MaxConcurrency = 16);
    /// </code>
    /// </example>
    public static IServiceCollection AddKeyedTransfer(this IServiceCollection services, string name, Action<TransferClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        AddOptions(services, name, configure);
        services.TryAddKeyedSingleton(name, static (provider, key) => new TransferClient(
            provider.GetKeyedService<IAmazonS3>(key) ?? throw new InvalidOperationException(
                $"{nameof(AddKeyedTransfer)}(\"{key}\") needs an {nameof(IAmazonS3)} with the key \"{key}\", and none is registered. Register one, for example with services.AddKeyedSingleton<{nameof(IAmazonS3)}>(\"{key}\", new {nameof(AmazonS3Client)}())."),
            provider.GetRequiredService<IOptionsMonitor<TransferClientOptions>>().Get((string)key!)));
        services.TryAddKeyedSingleton<ITransferClient>(name, static (provider, key) => provider.GetRequiredKeyedService<TransferClient>(key));
        return services;
    }

    /// <summary>Registers a <see cref="TransferClient"/> as a keyed singleton, with options from a configuration section.</summary>
    /// <param name="services">The service collection. An <see cref="IAmazonS3"/> must be registered with the key <paramref name="name"/>, before or after this call.</param>
    /// <param name="name">The key of the services, which is also the name of the options and of the client in logs.</param>
    /// <param name="section">The section. See <see cref="AddTransfer(IServiceCollection, IConfiguration)"/>.</param>
    /// <returns>The same service collection.</returns>
    /// <remarks>See <see cref="AddTransfer(IServiceCollection, IConfiguration)"/>, which throws the same errors.</remarks>
    /// <exception cref="ArgumentException">Thrown when <paramref name="name"/> is <see langword="null"/> or empty.</exception>
    /// <example>
    /// <code>
    /// using Microsoft.AspNetCore.Builder;
    /// using Microsoft.Extensions.DependencyInjection;
    ///
    /// WebApplicationBuilder builder = WebApplication.CreateBuilder();
    /// builder.Services.AddKeyedSingleton&lt;IAmazonS3>("backup", new AmazonS3Client());
    /// builder.Services.AddKeyedTransfer("backup", builder.Configuration.GetSection("Backup"));
    /// </code>
    /// </example>
    public static IServiceCollection AddKeyedTransfer(this IServiceCollection services, string name, IConfiguration section)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddKeyedTransfer(name, options => OptionsReader.Read(section, options, name));
    }

    private static void AddOptions(IServiceCollection services, string name, Action<TransferClientOptions>? configure)
    {
        OptionsBuilder<TransferClientOptions> options = services.AddOptions<TransferClientOptions>(name).ValidateOnStart();
        if (configure is not null)
        {
            options.Configure(configure);
        }

        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<TransferClientOptions>, ServiceProviderDefaults>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<TransferClientOptions>, OptionsValidator>());
    }
}
