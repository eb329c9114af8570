using Amazon.S3;
using BrowserUpload;
using Samples;
using Transfer.S3;

await using SampleStore store = await SampleStore.OpenAsync();
if (store.Server is not null)
{
    await BucketRules.AllowBrowsersAsync(store.S3, store.Bucket);
}

// The page is found beside the program, wherever that is started from.
WebApplicationBuilder builder = WebApplication.CreateBuilder(new WebApplicationOptions { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddSingleton<IAmazonS3>(store.S3);
builder.Services.AddTransfer(builder.Configuration.GetSection("Transfer"));
builder.Services.AddDataProtection(); // in production, persist its keys, so that uploads can go on after a restart
builder.Services.AddSingleton<UploadTickets>();
builder.Services.AddSingleton(services => new Uploads(services.GetRequiredService<ITransferClient>(), services.GetRequiredService<UploadTickets>(), store.Bucket));
builder.Services.AddHostedService(services => new AbandonedUploads(services.GetRequiredService<ITransferClient>(), store.Bucket));
builder.Services.AddProblemDetails();
builder.Services.AddExceptionHandler<UploadExceptionHandler>();

await using WebApplication app = builder.Build();
app.UseExceptionHandler();
app.UseDefaultFiles();
app.UseStaticFiles();

// Your application authenticates its users: without that, anyone who reaches these endpoints can upload.
RouteGroupBuilder uploads = app.MapGroup("/uploads");
uploads.MapPost("/", (NewUpload upload, Uploads service, CancellationToken aborted) => service.BeginAsync(upload, aborted));
uploads.MapPost("/missing", (TicketOnly upload, Uploads service, CancellationToken aborted) => service.FindMissingAsync(upload.Ticket, aborted));
uploads.MapPost("/part", (PartToSign part, Uploads service, CancellationToken aborted) => service.SignAsync(part, aborted));
uploads.MapPost("/complete", (TicketOnly upload, Uploads service, CancellationToken aborted) => service.CompleteAsync(upload.Ticket, aborted));
uploads.MapPost("/abort", (TicketOnly upload, Uploads service, CancellationToken aborted) => service.AbortAsync(upload.Ticket, aborted));

await app.RunAsync();
