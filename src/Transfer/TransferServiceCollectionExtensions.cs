using Amazon.S3;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Transfer.Registration;

namespace Transfer;

/// <summary>Registers a <see cref="TransferClient"/> with a container of services.</summary>
public static class TransferServiceCollectionExtensions
{
    /// <summary>
    /// Registers one <see cref="TransferClient"/> for the application, as itself and as <see cref="ITransferClient"/>, over the <see cref="IAmazonS3"/> that
    /// is registered.
    /// </summary>
    /// <param name="services">Where to register it. An <see cref="IAmazonS3"/> must be registered too, before or after: none is registered here.</param>
    /// <param name="configure">Sets options. Several calls set one after the other.</param>
    /// <returns>The same services.</returns>
    /// <remarks>
    /// Options are checked when the host starts, or at the latest when the client is first asked for; what is wrong is an
    /// <see cref="OptionsValidationException"/> with the same message that <see cref="TransferClient"/> gives. Where the options leave them open, the container's
    /// <see cref="ILoggerFactory"/> and <see cref="TimeProvider"/> are used. The container disposes the client, which it must do asynchronously, as hosts do.
    /// </remarks>
    public static IServiceCollection AddTransfer(this IServiceCollection services, Action<TransferClientOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        OptionsBuilder<TransferClientOptions> options = services.AddOptions<TransferClientOptions>().ValidateOnStart();
        if (configure is not null)
        {
            options.Configure(configure);
        }

        services.TryAddEnumerable(ServiceDescriptor.Singleton<IPostConfigureOptions<TransferClientOptions>, ContainerDefaults>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<TransferClientOptions>, OptionsCheck>());
        services.TryAddSingleton(static provider => new TransferClient(
            provider.GetService<IAmazonS3>() ?? throw new InvalidOperationException(
                $"{nameof(AddTransfer)} needs an {nameof(IAmazonS3)}, and none is registered: services.AddSingleton<{nameof(IAmazonS3)}>(new {nameof(AmazonS3Client)}()), for example."),
            provider.GetRequiredService<IOptions<TransferClientOptions>>().Value));
        services.TryAddSingleton<ITransferClient>(static provider => provider.GetRequiredService<TransferClient>());
        return services;
    }

    /// <summary>Registers one <see cref="TransferClient"/> with options from a section of the application's configuration.</summary>
    /// <param name="services">Where to register it. An <see cref="IAmazonS3"/> must be registered too, before or after: none is registered here.</param>
    /// <param name="section">
    /// The section. Its keys are the names of <see cref="TransferClientOptions"/>' properties; other keys are not read. Sizes are bytes, or a number with KiB,
    /// MiB, GiB, TiB (or KB, MB, GB: powers of 1000), such as <c>8MiB</c>; times are as <see cref="TimeSpan"/> writes them, such as <c>00:00:30</c>;
    /// <see cref="TransferClientOptions.Concurrency"/> may be <c>auto</c>. It is read once.
    /// </param>
    /// <returns>The same services.</returns>
    /// <remarks>As for the other overload. A value that can't be read is an <see cref="OptionsValidationException"/> that names its key.</remarks>
    public static IServiceCollection AddTransfer(this IServiceCollection services, IConfiguration section)
    {
        ArgumentNullException.ThrowIfNull(section);
        return services.AddTransfer(options => new OptionsReader(section).ReadInto(options));
    }
}
